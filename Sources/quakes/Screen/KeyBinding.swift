import StrataQuakesScreen

/// The command of a key, by its name in the settings.
enum ScreenCommand: String, CaseIterable, Sendable {
  case open, back, filter, clear
  case nextNew = "next_new"
  case map, history, star
  case acknowledge = "ack"
  case note
  case page = "web"
  case order = "sort"
  case reverse, next, previous
  case views, view
  case saveView = "save_view"
  case panLeft = "west"
  case panRight = "east"
  case panUp = "north"
  case panDown = "south"
  case zoomIn = "zoom_in"
  case zoomOut = "zoom_out"
  case world, down, up
  case pageDown = "page_down"
  case pageUp = "page_up"
  case first, last, redraw, suspend, help, quit

  /// - Parameter name: as in the settings, also with hyphens.
  init?(named name: String) { self.init(rawValue: name.replacing("-", with: "_")) }
}

/// The kind of a view.
enum ScreenKind: String, CaseIterable, Sendable {
  case list, detail, map, views, help
}

/// Keys, and the command that they have in some kinds of views.
struct KeyBinding: Sendable {
  var keys: [Key]
  var command: ScreenCommand
  var words: String
  /// Shorter, for the foot; nil to leave it to the help.
  var foot: String?
  var kinds: [ScreenKind]

  init(_ keys: [Key], _ command: ScreenCommand, _ words: String, foot: String? = nil, in kinds: [ScreenKind]) {
    (self.keys, self.command, self.words, self.foot, self.kinds) = (keys, command, words, foot, kinds)
  }

  /// The keys as people read them.
  var names: String {
    if keys.count > 5, let first = keys.first, let last = keys.last { return "\(first.name)…\(last.name)" }
    return keys.map(\.name).joined(separator: " ")
  }
}

// MARK: - The usual keys

extension KeyBinding {
  private static let everywhere: [ScreenKind] = [.list, .detail, .map, .views, .help]
  /// Where an earthquake is selected.
  private static let onEarthquakes: [ScreenKind] = [.list, .detail, .map]
  /// Where rows are shown.
  private static let inRows: [ScreenKind] = [.list, .detail, .views, .help]

  static let standard = onEarthquake + onViews + inMap + moving + general

  private static let onEarthquake = [
    KeyBinding([.enter, .right, .character("l")], .open, "show all details", foot: "open", in: [.list]),
    KeyBinding([.enter], .open, "show all details", foot: "open", in: [.map]),
    KeyBinding([.character("q"), .escape, .left], .back, "go back", foot: "back", in: [.detail, .views, .help]),
    KeyBinding([.character("q"), .escape, .character("m")], .back, "go back", foot: "back", in: [.map]),
    KeyBinding([.character("/")], .filter, "filter the list", foot: "filter", in: [.list]),
    KeyBinding([.escape], .clear, "clear the filter", foot: "clear", in: [.list]),
    KeyBinding(
      [.character("u")], .nextNew, "go to the next earthquake that arrived since the screen opened", foot: "new",
      in: onEarthquakes),
    KeyBinding([.character("m")], .map, "show the map", foot: "map", in: [.list, .detail]),
    KeyBinding([.character("h")], .history, "show or hide its history", foot: "history", in: [.detail]),
    KeyBinding([.character("*")], .star, "toggle the star", foot: "star", in: onEarthquakes),
    KeyBinding([.character("a")], .acknowledge, "toggle acknowledged", foot: "ack", in: onEarthquakes),
    KeyBinding([.character("N")], .note, "edit the note", in: onEarthquakes),
    KeyBinding([.character("o")], .page, "open the web page", in: onEarthquakes),
    KeyBinding([.character("s")], .order, "change the sort key", foot: "sort", in: [.list]),
    KeyBinding([.character("r")], .reverse, "reverse the order", in: [.list]),
    KeyBinding([.character("n")], .next, "show the next earthquake in the list", foot: "next", in: [.detail, .map]),
    KeyBinding([.character("p")], .previous, "show the previous earthquake in the list", in: [.detail, .map]),
  ]

  private static let onViews = [
    KeyBinding([.character("v")], .views, "choose a saved view", foot: "views", in: [.list]),
    KeyBinding((1...9).map { .character(Character("\($0)")) }, .view, "show a saved view", in: [.list, .views]),
    KeyBinding([.enter, .right, .character("l")], .open, "show the view", foot: "show", in: [.views]),
    KeyBinding([.character("w")], .saveView, "save the filter and the order as a view", in: [.list]),
  ]

  private static let inMap = [
    KeyBinding([.left, .character("h")], .panLeft, "move west", in: [.map]),
    KeyBinding([.right, .character("l")], .panRight, "move east", in: [.map]),
    KeyBinding([.up, .character("k")], .panUp, "move north", in: [.map]),
    KeyBinding([.down, .character("j")], .panDown, "move south", in: [.map]),
    KeyBinding([.character("+"), .character("=")], .zoomIn, "zoom in", foot: "zoom", in: [.map]),
    KeyBinding([.character("-")], .zoomOut, "zoom out", in: [.map]),
    KeyBinding([.character("0")], .world, "show the whole world", foot: "world", in: [.map]),
  ]

  private static let moving = [
    KeyBinding([.character("j"), .down], .down, "down", in: inRows),
    KeyBinding([.character("k"), .up], .up, "up", in: inRows),
    KeyBinding([.pageDown, .character(" "), .control("f")], .pageDown, "page down", in: inRows),
    KeyBinding([.pageUp, .character("b"), .control("b")], .pageUp, "page up", in: inRows),
    KeyBinding([.character("g"), .home], .first, "go to the start", in: inRows),
    KeyBinding([.character("G"), .end], .last, "go to the end", in: inRows),
  ]

  private static let general = [
    KeyBinding([.control("l")], .redraw, "redraw the screen", in: everywhere),
    KeyBinding([.control("z")], .suspend, "suspend; \"fg\" in the shell resumes", in: everywhere),
    KeyBinding([.character("?")], .help, "show or hide this help", foot: "help", in: everywhere),
    KeyBinding([.character("q"), .character("Q"), .control("c")], .quit, "quit", foot: "quit", in: [.list]),
    KeyBinding([.character("Q"), .control("c")], .quit, "quit", foot: "quit", in: [.detail, .map, .views, .help]),
  ]
}
