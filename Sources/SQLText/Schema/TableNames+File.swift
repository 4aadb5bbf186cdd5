import StrataRowStore

/// A name as the rules create it, to recognize one that differs only in numbers: `ZNAME` is `ZNAME1` where another
/// property has the name, and `Z7_OWNER` was `Z6_OWNER` before its entity got another number.
package struct NamePattern: Hashable, Sendable {
  var head: String
  /// The Z_ENT behind the head; nil for names without one.
  var number: Int?
  var tail: String

  var name: String { head + (number.map(String.init) ?? "") + tail }

  /// The number after the head of a name that matches the pattern, 0 without a number; nil if the name does not match.
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

/// Names in the file that replace those that the rules give.
extension DeclaredTables {
  /// The columns of a table that the file calls otherwise: the file's names by those that the rules give.
  /// - Throws: `.incompatibleModel` for an ambiguous column.
  func renamed(_ columns: [RootTable.Column], of table: String) throws -> [String: String] {
    let declared = self.columns(of: table)
    let known = Set(declared.map(\.name))
    let missing = columns.filter { !known.contains($0.name.unquoted) }
    guard !declared.isEmpty, !missing.isEmpty else { return [:] }
    let given = Set(columns.map(\.name.unquoted))
    var names: [String: String] = [:]
    for column in missing {
      let isAlike = { (pattern: NamePattern, type: String, name: String) in
        pattern.number(in: name) != nil && type.uppercased() == column.type
      }
      let free = declared.filter { !given.contains($0.name) && isAlike(column.pattern, $0.type, $0.name) }
      // The code that uses a missing column reports it.
      guard let found = free.first else { continue }
      let rivals = columns.filter { isAlike(column.pattern, $0.type, $0.name) }
      guard free.count == 1, rivals.count == 1 else {
        throw Self.unclear(
          table, question: "which of \(free.map(\.name).joined(separator: ", ")) stands for \(column.name)")
      }
      names[column.name] = found.name
    }
    return names
  }

  static func unclear(_ table: String, question: String) -> StoreError {
    StoreError(
      .incompatibleModel,
      "The columns of the table \(table) have other names than the model gives them, and their names do not show "
        + "\(question). Rename them as a new store of this model has them.")
  }

  /// The columns of a table of pairs: that with the owners' keys, and that with the members' keys.
  /// - Parameters:
  ///   - own: the pattern of the first column's name.
  ///   - other: the pattern of the second column's name.
  ///   - expected: both names by the rules.
  /// - Throws: `.incompatibleModel` if the file's names do not tell which is which.
  func sides(of table: String, own: NamePattern, other: NamePattern, expected: (String, String)) throws -> (
    own: String, other: String
  ) {
    let columns = self.columns(of: table).map(\.name).filter { !$0.hasPrefix(Self.placePrefix) }
    guard !columns.isEmpty, !(columns.contains(expected.0) && columns.contains(expected.1)) else { return expected }
    if let index = columns.firstIndex(of: TableNames.reflexive), expected.1 == TableNames.reflexive {
      guard columns.count == 2 else { throw Self.unclear(table, question: "which one has the keys of the owners") }
      return (columns[1 - index], TableNames.reflexive)
    }
    guard columns.count == 2 else {
      throw Self.unclear(table, question: "which ones have the keys: they are \(columns.joined(separator: ", "))")
    }
    let straight = Evidence(for: [(own, columns[0]), (other, columns[1])])
    let turned = Evidence(for: [(own, columns[1]), (other, columns[0])])
    let words = straight.words - turned.words
    let numbers = straight.numbers - turned.numbers
    if words >= 0, numbers >= 0, words + numbers > 0 { return (columns[0], columns[1]) }
    if words <= 0, numbers <= 0, words + numbers < 0 { return (columns[1], columns[0]) }
    throw Self.unclear(table, question: "which of \(columns.joined(separator: " and ")) has the keys of \(expected.0)")
  }

  static let placePrefix = "Z_FOK_"

  /// The column with the positions of one side's rows.
  /// - Parameter other: the pattern of the other side's column; nil if that side has no order.
  func order(of table: String, pattern: NamePattern, expected: String, other: NamePattern?) throws -> String {
    let columns = self.columns(of: table).map(\.name).filter { $0.hasPrefix(Self.placePrefix) }
    if columns.isEmpty || columns.contains(expected) { return expected }
    if columns.count == 1, other == nil { return columns[0] }
    let found = columns.filter { name in
      guard let number = pattern.number(in: name) else { return false }
      return number == pattern.number || other?.number(in: name) == nil
    }
    guard found.count == 1 else {
      throw Self.unclear(
        table, question: "which of \(columns.joined(separator: ", ")) has the positions of \(expected)")
    }
    return found[0]
  }
}

/// The fit of two columns to the two sides of a table of pairs, judged by the relationships and the entity numbers in
/// their names.
private struct Evidence {
  var words = 0
  var numbers = 0

  /// - Parameter sides: for each side the pattern of its column's name, and the actual name.
  init(for sides: [(NamePattern, String)]) {
    let differ = Set(sides.map(\.0.number)).count > 1
    for (pattern, name) in sides {
      if pattern.number(in: name) != nil { words += 1 }
      let digits = name.dropFirst(pattern.head.count).prefix { $0.isASCII && $0.isNumber }
      if differ, Int(digits) == pattern.number { numbers += 1 }
    }
  }
}
