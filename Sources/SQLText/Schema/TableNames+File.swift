import StrataRowStore

/// A name as the rules make it, to find one that differs from it in a number: `ZNAME` is `ZNAME1` where another property
/// has the name, and `Z7_OWNER` was `Z6_OWNER` before its entity got another number.
struct NamePattern: Hashable, Sendable {
  var head: String
  /// The Z_ENT behind the head; nil for names without one.
  var number: Int?
  var tail: String

  var name: String { head + (number.map(String.init) ?? "") + tail }

  /// The number behind the head of a name that has this one's words; 0 for one without. nil for another name.
  func number(in name: String) -> Int? {
    guard name.hasPrefix(head) else { return nil }
    var rest = name.dropFirst(head.count)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    if number != nil { rest = rest.dropFirst(digits.count) }
    guard rest.hasPrefix(tail), number == nil || !digits.isEmpty else { return nil }
    guard rest.dropFirst(tail.count).allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return number == nil ? 0 : Int(digits)
  }
}

/// Names that a file has in place of those that the rules give.
extension DeclaredTables {
  /// The columns of a table whose names in the file are others, by the names that the rules give.
  /// - Throws: `.incompatibleModel` where several columns could be meant.
  func renamed(_ columns: [RootTable.Column], of table: String) throws -> [String: String] {
    let declared = self.columns(of: table)
    let known = Set(declared.map(\.name))
    let missing = columns.filter { !known.contains($0.name) }
    guard !declared.isEmpty, !missing.isEmpty else { return [:] }
    let given = Set(columns.map(\.name))
    var names: [String: String] = [:]
    for column in missing {
      let isAlike = { (pattern: NamePattern, type: String, name: String) in
        pattern.number(in: name) != nil && type.uppercased() == column.type
      }
      let free = declared.filter { !given.contains($0.name) && isAlike(column.pattern, $0.type, $0.name) }
      // Nothing at all is for who uses the column to say.
      guard let found = free.first else { continue }
      let rivals = columns.filter { isAlike(column.pattern, $0.type, $0.name) }
      guard free.count == 1, rivals.count == 1 else {
        throw Self.unclear(
          table, "which of \(free.map(\.name).joined(separator: ", ")) stands for \(column.name)")
      }
      names[column.name] = found.name
    }
    return names
  }

  static func unclear(_ table: String, _ question: String) -> StoreError {
    StoreError(
      .incompatibleModel,
      "The columns of the table \(table) have other names than the model gives them, and their names do not tell "
        + "\(question). Rename them as a new store of this model has them.")
  }

  /// The columns of a table of pairs: that with the keys of the relationship's owners, and that with its members'.
  /// - Parameters:
  ///   - own: the name that the rules give the first column, and `other` the second.
  /// - Throws: `.incompatibleModel` where the file has other names, and these do not tell which is which.
  func sides(of table: String, own: NamePattern, other: NamePattern, _ expected: (String, String)) throws -> (
    own: String, other: String
  ) {
    let columns = self.columns(of: table).map(\.name).filter { !$0.hasPrefix(Self.placePrefix) }
    guard !columns.isEmpty, !(columns.contains(expected.0) && columns.contains(expected.1)) else { return expected }
    if let place = columns.firstIndex(of: ToManyStorage.reflexive), expected.1 == ToManyStorage.reflexive {
      guard columns.count == 2 else { throw Self.unclear(table, "which one has the keys of the owners") }
      return (columns[1 - place], ToManyStorage.reflexive)
    }
    guard columns.count == 2 else {
      throw Self.unclear(table, "which ones have the keys: they are \(columns.joined(separator: ", "))")
    }
    let straight = Evidence(own, columns[0], other, columns[1])
    let turned = Evidence(own, columns[1], other, columns[0])
    let words = straight.words - turned.words, numbers = straight.numbers - turned.numbers
    if words >= 0, numbers >= 0, words + numbers > 0 { return (columns[0], columns[1]) }
    if words <= 0, numbers <= 0, words + numbers < 0 { return (columns[1], columns[0]) }
    throw Self.unclear(table, "which of \(columns.joined(separator: " and ")) has the keys of \(expected.0)")
  }

  static let placePrefix = "Z_FOK_"

  /// The column with the places of one side's rows.
  /// - Parameter other: what the other side's would be called; nil if that has no order.
  func order(of table: String, _ pattern: NamePattern, _ expected: String, other: NamePattern?) throws -> String {
    let columns = self.columns(of: table).map(\.name).filter { $0.hasPrefix(Self.placePrefix) }
    if columns.isEmpty || columns.contains(expected) { return expected }
    if columns.count == 1, other == nil { return columns[0] }
    let found = columns.filter { name in
      guard let number = pattern.number(in: name) else { return false }
      return number == pattern.number || other?.number(in: name) == nil
    }
    guard found.count == 1 else {
      throw Self.unclear(table, "which of \(columns.joined(separator: ", ")) has the places of \(expected)")
    }
    return found[0]
  }
}

/// How well two columns fit the two sides of a table of pairs: by the relationships that their names end with, and by
/// the numbers of the entities in them.
private struct Evidence {
  var words = 0
  var numbers = 0

  init(_ own: NamePattern, _ first: String, _ other: NamePattern, _ second: String) {
    for (pattern, name) in [(own, first), (other, second)] {
      if pattern.number(in: name) != nil { words += 1 }
      let digits = name.dropFirst(pattern.head.count).prefix { $0.isASCII && $0.isNumber }
      if own.number != other.number, Int(digits) == pattern.number { numbers += 1 }
    }
  }
}
