import StrataQuakes

/// A named filter of the live screen, and its order.
public struct SavedView: Equatable, Sendable {
  public var name: String
  /// As it is typed on the screen.
  public var filter: String
  /// nil for the order of lists.
  public var order: QuakeQuery.Order?
  public var isReversed: Bool

  public init(_ name: String, filter: String, order: QuakeQuery.Order? = nil, isReversed: Bool = false) {
    (self.name, self.filter, self.order, self.isReversed) = (name, filter, order, isReversed)
  }

  /// Its line in the file.
  public var line: String {
    let filter = SettingValue.text(filter).text
    let order = (order.map { ", sort = \"\($0.rawValue)\"" } ?? "") + (isReversed ? ", reverse = true" : "")
    return SettingValue.key(name) + " = " + (order.isEmpty ? filter : "{ filter = \(filter)\(order) }")
  }
}

extension Settings {
  /// The views in the order of the file, which is that of their number keys.
  public func views(in lines: SettingLines) -> [SavedView] {
    func key(_ view: SavedView) -> (Int, String) { (lines.line(of: ["views", view.name]) ?? .max, view.name) }
    return views.values.sorted { key($0) < key($1) }
  }

  /// - Throws: `Failure` of usage for an unknown name, which lists the views.
  public func view(named name: String) throws(Failure) -> SavedView {
    if let view = views[name] { return view }
    throw unknown("view", name, among: viewNames, advice: "write one under [views], as in \(name) = \"mag>=6\"")
  }

  mutating func takeViews(_ table: [String: SettingNode]) {
    for (name, node) in table.sorted(by: { $0.key < $1.key }) {
      switch node {
      case .value(.text(let filter)): views[name] = SavedView(name, filter: filter)
      case .value(let value):
        mistakes.append(
          Mistake(key: ["views", name], wanted: #"a filter such as "mag>=6 since:7d", or a table"#, value: value))
      case .table(let words):
        var view = SavedView(name, filter: "")
        for (word, node) in words.sorted(by: { $0.key < $1.key }) { take(word, node.value, of: &view) }
        views[name] = view
      }
    }
  }

  private mutating func take(_ word: String, _ value: SettingValue, of view: inout SavedView) {
    let key = ["views", view.name, word]
    let wanted: String
    switch (word, value) {
    case ("filter", .text(let text)):
      view.filter = text
      return
    case ("sort", .text(let text)) where QuakeQuery.Order(named: text) != nil:
      view.order = QuakeQuery.Order(named: text)
      return
    case ("reverse", .flag(let flag)):
      view.isReversed = flag
      return
    case ("filter", _): wanted = "a filter"
    case ("sort", _): wanted = #""time", "magnitude", "depth", "distance" or "updated""#
    case ("reverse", _): wanted = "true or false"
    default:
      unknownKeys.append(key)
      return
    }
    mistakes.append(Mistake(key: key, wanted: wanted, value: value))
  }
}
