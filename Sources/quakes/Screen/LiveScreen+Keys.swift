import CoreData
import Foundation
import StrataQuakes
import StrataQuakesScreen

extension LiveScreen {
  /// Handles all keys of one read, then draws once.
  func handle(_ keys: [Key]) {
    checkStore()
    for key in keys {
      if interruptedText != nil {
        if key == .enter || key == .escape { showInterrupted(nil) } else { _ = performAlways(key) }
      } else if prompt == nil, notePrompt == nil, viewPrompt == nil {
        perform(key)
      } else if !performAlways(key) {
        if prompt != nil { type(key) } else if notePrompt != nil { typeNote(key) } else { typeView(key) }
      }
    }
    narrow()
    draw()
  }

  var top: (any ScreenView)? { views.last }

  var kind: ScreenKind { top?.kind ?? .list }

  private func perform(_ key: Key) {
    notice = nil
    terminal.dismissErrors()
    guard let binding = options.keys.binding(of: key, in: kind) else { return }
    switch binding.command {
    case .quit: end()
    case .suspend: suspend()
    case .redraw: terminal.forgetFrame()
    case .help: if kind == .help { views.removeLast() } else { show(HelpView(of: kind)) }
    case .back: views.removeLast()
    case .clear: attempt { try $0.clear() }
    case .views: withViews { show(ViewMenu($0)) }
    case .view: withViews { showView(binding.keys.firstIndex(of: key) ?? 0, of: $0) }
    case .saveView: attempt { viewPrompt = ViewPrompt($0.view) }
    case .filter: attempt { prompt = FilterPrompt($0.filter) }
    case .open:
      guard let menu = top as? ViewMenu else { return attempt { openDetail($0) } }
      if let view = menu.selected { showView(view) }
    case .map: attempt { openMap($0) }
    case .history: attempt { openDetail($0, showsHistory: (top as? DetailView)?.showsHistory != true) }
    case .next, .previous, .nextNew: attempt { if try $0.perform(binding.command) { follow($0) } }
    case .down, .up, .pageDown, .pageUp, .first, .last:
      attempt { list in
        if hasListAbove {
          if try list.perform(binding.command) { follow(list) }
        } else {
          _ = try top?.perform(binding.command) ?? list.perform(binding.command)
        }
      }
    case .star, .acknowledge, .note, .page: attempt { try performOnEarthquake(binding.command, $0) }
    default: attempt { list in _ = try top?.perform(binding.command) ?? list.perform(binding.command) }
    }
  }

  // MARK: Views

  /// Shows a view on top; replaces a view of the same kind and all views above it.
  func show(_ view: any ScreenView) {
    if let former = views.firstIndex(where: { $0.kind == view.kind }) { views.removeSubrange(former...) }
    views.append(view)
  }

  private func openDetail(_ list: ListView, showsHistory: Bool = false) {
    guard let quake = shownQuake(list) else { return }
    list.store.see(quake.objectID)
    show(DetailView(quake, in: list.store, showsHistory: showsHistory))
  }

  /// From the details it shows where the earthquake was, from the list where all were.
  private func openMap(_ list: ListView) {
    showMap(LiveMap(list, around: kind == .detail ? shownQuake(list) : nil))
  }

  /// Shows a map, which is drawn again whenever it has read more.
  func showMap(_ map: LiveMap) {
    map.onChange = { [weak self] in self?.planDrawing() }
    show(map)
  }

  /// The details, also below the map, are those of the selection.
  private func follow(_ list: ListView) {
    guard let quake = list.selectedQuake else { return }
    for (index, view) in views.enumerated() {
      guard let detail = view as? DetailView else { continue }
      list.store.see(quake.objectID)
      views[index] = DetailView(quake, in: list.store, showsHistory: detail.showsHistory)
    }
  }

  /// The earthquake on the detail view may no longer be in the list.
  private func shownQuake(_ list: ListView) -> Quake? {
    if let detail = top as? DetailView { return detail.quake }
    return list.selectedQuake
  }

  // MARK: Earthquakes

  private func performOnEarthquake(_ command: ScreenCommand, _ list: ListView) throws {
    guard let quake = shownQuake(list) else { return }
    switch command {
    case .page: openPage(of: quake)
    case .note: notePrompt = NotePrompt(quake, try list.store.mark(of: quake).note)
    case .star:
      let isStarred = try !list.store.mark(of: quake).isStarred
      mark(quake, in: list) { $0.isStarred = isStarred }
    default:
      let acknowledged = try list.store.mark(of: quake).acknowledged == nil ? Date() : nil
      list.store.see(quake.objectID)
      mark(quake, in: list) { $0.acknowledged = acknowledged }
    }
  }

  private func mark(_ quake: Quake, in list: ListView, _ change: (inout QuakeMark) -> Void) {
    do {
      try list.store.mark(quake, change)
    } catch {
      notice = (error as? Failure)?.message ?? "\(error)"
    }
  }

  /// A browser for terminals has the terminal until it exits. The output of any other one is kept off the screen, also after it
  /// ended, because programs that it started may still write.
  private func openPage(of quake: Quake) {
    guard let page = quake.facts.page else {
      notice = "its service does not have a page that can be opened"
      return
    }
    guard Browser.needsTerminal else {
      notice = "opening \(page)"
      return Browser.openDetached(page, output: terminal.errorFile) { [weak self] trouble in
        guard let trouble else { return }
        self?.notice = "no browser opened \(page): \(trouble)"
        self?.planDrawing()
      }
    }
    let (trouble, isOwner) = terminal.lend { Browser.open(page) }
    own(isOwner)
    if let trouble { notice = "no browser opened \(page): \(trouble)" }
  }

  /// Keys that do the same while text is typed.
  private func performAlways(_ key: Key) -> Bool {
    switch key {
    case .control("c"): end()
    case .control("z"): suspend()
    case .control("l"): terminal.forgetFrame()
    default: return false
    }
    return true
  }

  private func typeNote(_ key: Key) {
    switch key {
    case .escape: notePrompt = nil
    case .enter:
      guard let prompt = notePrompt else { return }
      notePrompt = nil
      guard prompt.isChanged else { return }
      attempt { list in
        guard let quake = (try? list.store.context.existingObject(with: prompt.quake)) as? Quake else { return }
        mark(quake, in: list) { $0.note = prompt.note }
      }
    default: _ = notePrompt?.field.handle(key)
    }
  }

  // MARK: Typing a filter

  private func type(_ key: Key) {
    switch key {
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

  /// Applies a filter as it is typed: once for all keys of one read.
  func narrow() {
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
  /// The filter that Escape restores.
  let former: ScreenFilter
  /// nil if the list already shows the text's filter.
  var problem: String?

  init(_ filter: ScreenFilter) {
    former = filter
    // A word that follows is another one.
    shown = filter.text.isEmpty ? "" : filter.text + " "
    field = TextField(shown)
  }

  /// A filter that was being typed in the former version of this program.
  ///
  /// - Parameter shown: the list's filter.
  init(_ field: TextField, former: ScreenFilter, shown: ScreenFilter) {
    (self.field, self.former, self.shown) = (field, former, shown.text)
  }
}

/// A note that is being typed.
struct NotePrompt {
  static let help = "Enter saves the note, or removes an empty one; Escape discards the change"

  var field: TextField
  let quake: NSManagedObjectID
  /// The earthquake's ID.
  let identifier: String
  private let former: TextField

  init(_ quake: Quake, _ note: String?) {
    (self.quake, identifier) = (quake.objectID, quake.identifier ?? "?")
    former = TextField(Terminal.printable(note ?? ""))
    field = former
  }

  var isChanged: Bool { field.text != former.text }

  /// nil if nothing was noted.
  var note: String? { field.text.allSatisfy(\.isWhitespace) ? nil : field.text }
}
