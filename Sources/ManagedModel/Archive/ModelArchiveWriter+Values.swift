import Foundation
import StrataPredicates

extension ModelArchiveWriter {
  mutating func number(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number))
    while rest >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func signed(_ value: Int64) { number(Int(value << 1 ^ value >> 63)) }

  mutating func text(_ text: String?) {
    guard let text else { return number(0) }
    if textNumbers[text] == nil {
      texts.append(text)
      textNumbers[text] = texts.count
    }
    number(textNumbers[text] ?? 0)
  }

  mutating func flags(_ flags: [Bool]) {
    bytes.append(flags.enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) })
  }

  mutating func entity(_ entity: NSEntityDescription) { number(entityNumbers[ObjectIdentifier(entity)] ?? 0) }

  mutating func list<Member>(
    _ members: [Member], write: (inout ModelArchiveWriter, Member) -> Void
  ) {
    number(members.count)
    for member in members { write(&self, member) }
  }

  mutating func optional<Value, Failure: Error>(
    _ value: Value?, write: (inout ModelArchiveWriter, Value) throws(Failure) -> Void
  ) throws(Failure) {
    bytes.append(value == nil ? 0 : 1)
    if let value { try write(&self, value) }
  }

  mutating func predicate(_ predicate: NSPredicate?) throws(ModelArchiveError) {
    guard let predicate else { return text(nil) }
    guard let tree = try? predicate.tree else {
      throw ModelArchiveError("\(subject) has the predicate \(predicate.formatText), which has no text")
    }
    text(tree.description)
  }

  mutating func userInfo(_ userInfo: [AnyHashable: Any]?) throws(ModelArchiveError) {
    try optional(userInfo) { writer, entries throws(ModelArchiveError) in
      var texts: [String: Any] = [:]
      for (key, value) in entries {
        guard let key = key.base as? String else {
          throw ModelArchiveError("\(writer.subject) has the key \(key) in its user info, which is no text")
        }
        texts[key] = value
      }
      try writer.dictionary(texts)
    }
  }

  mutating func dictionary(_ entries: [String: Any]) throws(ModelArchiveError) {
    number(entries.count)
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
      text(key)
      try constant(value)
    }
  }

  mutating func constant(_ value: Any?) throws(ModelArchiveError) {
    if let entries = value as? [String: Any] {
      bytes.append(ArchivedConstantKind.dictionary.rawValue)
      return try dictionary(entries)
    }
    if let number = value as? NSNumber, !(number is NSDecimalNumber), number.objCType.pointee == Self.floatType {
      bytes.append(ArchivedConstantKind.float.rawValue)
      return bits(UInt64(number.floatValue.bitPattern))
    }
    guard let constant = PredicateValue(argument: value) else { throw unreadable(value) }
    try self.constant(constant)
  }

  static let floatType = CChar(bitPattern: UInt8(ascii: "f"))

  func unreadable(_ value: Any?) -> ModelArchiveError {
    ModelArchiveError("\(subject) has the value \(value.map { "\($0)" } ?? "nil"), which an archive cannot keep")
  }

  mutating func constant(_ value: PredicateValue) throws(ModelArchiveError) {
    bytes.append(try kind(of: value).rawValue)
    switch value {
    case .null, .bool: break
    case .integer(let integer): signed(integer)
    case .real(let real): bits(real.bitPattern)
    case .decimal(let decimal): text(decimal.description)
    case .string(let string): text(string)
    case .date(let date): bits(date.timeIntervalSinceReferenceDate.bitPattern)
    case .data(let data):
      number(data.count)
      bytes += Array(data)
    case .uuid(let uuid): text(uuid.uuidString)
    case .url(let url): text(url.absoluteString)
    case .list(let values):
      number(values.count)
      for value in values { try constant(value) }
    case .reference, .row: break
    }
  }

  func kind(of value: PredicateValue) throws(ModelArchiveError) -> ArchivedConstantKind {
    switch value {
    case .null: .null
    case .bool(let flag): flag ? .yes : .no
    case .integer: .integer
    case .real: .double
    case .decimal: .decimal
    case .string: .text
    case .date: .date
    case .data: .data
    case .uuid: .uuid
    case .url: .url
    case .list: .list
    case .reference, .row: throw unreadable(value)
    }
  }

  mutating func bits(_ bits: UInt64) {
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
  }
}
