import StrataQuakes
import StrataQuakesConfig
import StrataQuakesScreen

/// Saved views. The settings are read each time, so that a change of the file counts.
extension LiveScreen {
  private var settingsFile: SettingsFile { SettingsFile(option: options.store.config) }

  func withViews(_ body: ([SavedView]) -> Void) {
    do throws(Failure) {
      body(try settingsFile.settings().views(in: settingsFile.lines()))
    } catch {
      notice = error.message
    }
  }

  func showView(_ view: SavedView) {
    views.removeAll { $0.kind == .views }
    attempt { list in
      do {
        try list.show(ScreenFilter(view.filter), of: view)
      } catch let problem as ScreenFilter.Problem {
        notice = "the view \"\(view.name)\": \(problem.text)"
      } catch let failure as Failure where failure.status == .notFound {
        notice = "the view \"\(view.name)\": \(failure.message)"
      }
    }
  }

  /// - Parameter number: from 0.
  func showView(_ number: Int, of views: [SavedView]) {
    guard !views.indices.contains(number) else { return showView(views[number]) }
    let count = views.isEmpty ? "no view is saved yet" : "the settings have \(CountText.of(views.count, "view"))"
    notice =
      "\(count); \(options.keys.name(of: .saveView, in: .list) ?? "save_view") saves the filter and the order as one"
  }

  // MARK: Saving

  func typeView(_ key: Key) {
    switch key {
    case .escape: viewPrompt = nil
    case .enter: attempt(save)
    default:
      viewPrompt?.problem = nil
      _ = viewPrompt?.field.handle(key)
    }
  }

  /// Another view of the same name is replaced only if Enter is pressed again.
  private func save(_ list: ListView) {
    guard let prompt = viewPrompt, !prompt.name.isEmpty else {
      viewPrompt = nil
      return
    }
    do throws(Failure) {
      let isKnown = try settingsFile.settings().viewNames.contains(prompt.name)
      if isKnown, prompt.confirmed != prompt.name, prompt.name != list.view {
        viewPrompt?.confirmed = prompt.name
        viewPrompt?.problem = "there is a view \"\(prompt.name)\"; Enter replaces it"
        return
      }
      try settingsFile.save(list.saved(as: prompt.name))
      list.note(view: prompt.name)
      (viewPrompt, notice) = (nil, "saved as \"\(prompt.name)\" in \(settingsFile.url.path)")
    } catch {
      viewPrompt?.problem = error.message
    }
  }
}

/// The name of a view that is being typed.
struct ViewPrompt {
  static let help = "Enter saves the filter and the order in the settings; Escape discards the name"

  var field: TextField
  var problem: String?
  /// The name of another view that Enter replaces.
  var confirmed: String?

  /// - Parameter name: the view that is shown.
  init(_ name: String?) { self.init(TextField(name ?? "")) }

  /// A name that was being typed.
  init(_ field: TextField) { self.field = field }

  var name: String { field.text.trimmingCharacters(in: .whitespaces) }
}
