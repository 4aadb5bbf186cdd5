import StrataQuakes
import StrataQuakesScreen

extension LiveScreen {
  /// Handles all keys that were read at once, then draws once.
  func handle(_ keys: [Key]) {
    checkStore()
    for key in keys {
      if prompt != nil { type(key) } else { perform(key) }
    }
    narrow()
    draw()
  }

  private var place: ScreenPlace { top?.place ?? .list }

  private func perform(_ key: Key) {
    guard let command = KeyBinding.command(of: key, in: place) else { return }
    switch command {
    case .quit: end()
    case .suspend: suspend()
    case .redraw: terminal.forgetFrame()
    case .help: top = place == .help ? nil : HelpView(of: place)
    case .back: top = nil
    case .filter: attempt { prompt = FilterPrompt($0.filter) }
    case .open: attempt { openSelected($0) }
    case .history, .next, .previous, .nextNew: attempt { try performOnEarthquake(command, $0) }
    default: attempt { list in _ = try top?.perform(command) ?? list.perform(command) }
    }
  }

  private func openSelected(_ list: ListView, showsHistory: Bool = false) {
    guard let quake = list.selectedQuake else { return }
    list.store.see(quake.objectID)
    top = DetailView(quake, in: list.store, showsHistory: showsHistory)
  }

  /// What concerns the selection also when its details are shown.
  private func performOnEarthquake(_ command: ScreenCommand, _ list: ListView) throws {
    let detail = top as? DetailView
    if command == .history {
      openSelected(list, showsHistory: detail?.showsHistory != true)
    } else if try list.perform(command), let detail {
      openSelected(list, showsHistory: detail.showsHistory)
    }
  }

  // MARK: Typing a filter

  private func type(_ key: Key) {
    switch key {
    case .control("c"): end()
    case .control("z"): suspend()
    case .control("l"): terminal.forgetFrame()
    case .up: attempt { $0.move(by: -1) }
    case .down: attempt { $0.move(by: 1) }
    case .pageUp: attempt { _ = try $0.perform(.pageUp) }
    case .pageDown: attempt { _ = try $0.perform(.pageDown) }
    case .enter:
      narrow()
      if prompt?.problem == nil { prompt = nil }
    case .escape:
      let former = prompt?.former
      prompt = nil
      if let former { attempt { try $0.setFilter(former) } }
    default: _ = prompt?.field.handle(key)
    }
  }

  /// Shows what a filter finds as it is typed: once for all keys that were read at once.
  private func narrow() {
    guard let text = prompt?.field.text, text != prompt?.shown else { return }
    prompt?.shown = text
    prompt?.problem = nil
    attempt { try narrow($0, to: text) }
  }

  /// If the filter makes no sense yet, the list stays.
  private func narrow(_ list: ListView, to text: String) throws {
    do {
      try list.setFilter(ScreenFilter(text))
    } catch let problem as ScreenFilter.Problem {
      prompt?.problem = problem.text
    } catch let failure as Failure where failure.status == .notFound {
      prompt?.problem = failure.message
    }
  }
}

/// A filter that is being typed.
struct FilterPrompt {
  var field: TextField
  /// The text that the list shows, or that has the problem.
  var shown: String
  /// What Escape restores.
  let former: ScreenFilter
  /// nil if the list shows what the text says.
  var problem: String?

  init(_ filter: ScreenFilter) {
    former = filter
    // A word that follows is another one.
    shown = filter.text.isEmpty ? "" : filter.text + " "
    field = TextField(shown)
  }
}
