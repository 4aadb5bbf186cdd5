import StrataQuakesScreen

/// The command of a key.
enum ScreenCommand: Sendable {
  case down, up, pageDown, pageUp, first, last
  case open, back, next, previous, nextNew
  case filter, clear, order, reverse, history
  case views, view, saveView
  case star, acknowledge, note, page
  case map, zoomIn, zoomOut, world, panLeft, panRight, panUp, panDown
  case help, redraw, suspend, quit
}

/// The kind of a view.
enum ScreenKind: Sendable {
  case list, detail, map, views, help
}

/// Keys and what they do there. The foot of the screen, the help and the handling of keys are made of the same table.
struct KeyBinding: Sendable {
  var keys: [Key]
  var command: ScreenCommand
  /// The keys as people read them.
  var names: String
  var words: String
  /// Shorter, for the foot; nil to leave it to the help.
  var foot: String?
  var kinds: [ScreenKind]

  init(
    _ keys: [Key], _ command: ScreenCommand, _ names: String, _ words: String, foot: String? = nil,
    in kinds: [ScreenKind]
  ) {
    (self.keys, self.command, self.names, self.words, self.foot, self.kinds) = (
      keys, command, names, words, foot, kinds
    )
  }

  private static let everywhere: [ScreenKind] = [.list, .detail, .map, .views, .help]
  /// Where an earthquake is selected.
  private static let onEarthquakes: [ScreenKind] = [.list, .detail, .map]
  /// Where rows are shown.
  private static let inRows: [ScreenKind] = [.list, .detail, .views, .help]

  static let all = onEarthquake + onViews + inMap + moving + general

  private static let onEarthquake = [
    KeyBinding(
      [.enter, .right, .character("l")], .open, "Enter →", "show all details", foot: "open",
      in: [.list]),
    KeyBinding([.enter], .open, "Enter", "show all details", foot: "open", in: [.map]),
    KeyBinding([.character("q"), .escape, .left], .back, "q Esc ←", "go back", foot: "back",
      in: [.detail, .views, .help]),
    KeyBinding([.character("q"), .escape, .character("m")], .back, "q Esc m", "go back", foot: "back", in: [.map]),
    KeyBinding([.character("/")], .filter, "/", "filter the list", foot: "filter", in: [.list]),
    KeyBinding([.escape], .clear, "Esc", "clear the filter", foot: "clear", in: [.list]),
    KeyBinding(
      [.character("u")], .nextNew, "u", "go to the next earthquake that arrived since the screen opened", foot: "new",
      in: onEarthquakes),
    KeyBinding([.character("m")], .map, "m", "show the map", foot: "map", in: [.list, .detail]),
    KeyBinding([.character("h")], .history, "h", "show or hide its history", foot: "history", in: [.detail]),
    KeyBinding([.character("*")], .star, "*", "toggle the star", foot: "star", in: onEarthquakes),
    KeyBinding(
      [.character("a")], .acknowledge, "a", "toggle acknowledged", foot: "ack", in: onEarthquakes),
    KeyBinding([.character("N")], .note, "N", "edit the note", in: onEarthquakes),
    KeyBinding([.character("o")], .page, "o", "open the web page", in: onEarthquakes),
    KeyBinding([.character("s")], .order, "s", "change the sort key", foot: "sort", in: [.list]),
    KeyBinding([.character("r")], .reverse, "r", "reverse the order", in: [.list]),
    KeyBinding(
      [.character("n")], .next, "n", "show the next earthquake in the list", foot: "next", in: [.detail, .map]),
    KeyBinding(
      [.character("p")], .previous, "p", "show the previous earthquake in the list", in: [.detail, .map]),
  ]

  private static let onViews = [
    KeyBinding([.character("v")], .views, "v", "choose a saved view", foot: "views", in: [.list]),
    KeyBinding((1...9).map { .character(Character("\($0)")) }, .view, "1…9", "show a saved view", in: [.list, .views]),
    KeyBinding([.enter, .right, .character("l")], .open, "Enter →", "show the view", foot: "show", in: [.views]),
    KeyBinding([.character("w")], .saveView, "w", "save the filter and the order as a view", in: [.list]),
  ]

  private static let inMap = [
    KeyBinding([.left, .character("h")], .panLeft, "← h", "move west", in: [.map]),
    KeyBinding([.right, .character("l")], .panRight, "→ l", "move east", in: [.map]),
    KeyBinding([.up, .character("k")], .panUp, "↑ k", "move north", in: [.map]),
    KeyBinding([.down, .character("j")], .panDown, "↓ j", "move south", in: [.map]),
    KeyBinding([.character("+"), .character("=")], .zoomIn, "+ =", "closer", foot: "zoom", in: [.map]),
    KeyBinding([.character("-")], .zoomOut, "-", "zoom out", in: [.map]),
    KeyBinding([.character("0")], .world, "0", "show the whole world", foot: "world", in: [.map]),
  ]

  private static let moving = [
    KeyBinding([.character("j"), .down], .down, "j ↓", "down", in: inRows),
    KeyBinding([.character("k"), .up], .up, "k ↑", "up", in: inRows),
    KeyBinding([.pageDown, .character(" "), .control("f")], .pageDown, "PgDn Space", "page down", in: inRows),
    KeyBinding([.pageUp, .character("b"), .control("b")], .pageUp, "PgUp b", "page up", in: inRows),
    KeyBinding([.character("g"), .home], .first, "g Home", "go to the start", in: inRows),
    KeyBinding([.character("G"), .end], .last, "G End", "go to the end", in: inRows),
  ]

  private static let general = [
    KeyBinding([.control("l")], .redraw, "Ctrl-L", "redraw the screen", in: everywhere),
    KeyBinding([.control("z")], .suspend, "Ctrl-Z", "suspend; \"fg\" in the shell resumes", in: everywhere),
    KeyBinding([.character("?")], .help, "?", "show or hide this help", foot: "help", in: everywhere),
    KeyBinding(
      [.character("q"), .character("Q"), .control("c")], .quit, "q Q Ctrl-C", "quit", foot: "quit", in: [.list]),
    KeyBinding([.character("Q"), .control("c")], .quit, "Q Ctrl-C", "quit", foot: "quit",
      in: [.detail, .map, .views, .help]),
  ]

  static func binding(of key: Key, in kind: ScreenKind) -> KeyBinding? {
    all.first { $0.kinds.contains(kind) && $0.keys.contains(key) }
  }

  /// The keys that the foot names, and what they do.
  ///
  /// - Parameters:
  ///   - newCount: how many new earthquakes there are to go to.
  ///   - isFiltered: whether there is a filter to take away.
  static func foot(of kind: ScreenKind, newCount: Int, isFiltered: Bool) -> [(key: String, word: String)] {
    let useless: [ScreenCommand] = (newCount > 0 ? [] : [.nextNew]) + (isFiltered ? [] : [.clear])
    return all.filter { $0.kinds.contains(kind) && !useless.contains($0.command) }.compactMap { binding in
      guard let word = binding.foot else { return nil }
      let key = String(binding.names.prefix { $0 != " " })
      return (key, binding.command == .nextNew ? "\(newCount) \(word)" : word)
    }
  }
}
