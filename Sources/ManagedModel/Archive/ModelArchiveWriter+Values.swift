import Foundation
import StrataFormats
import StrataPredicates

extension ModelArchiveWriter {
  mutating func entity(_ entity: NSEntityDescription) { number(entityNumbers[ObjectIdentifier(entity)] ?? 0) }

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
          throw ModelArchiveError("\(writer.subject) has the key \(key) in its user info, which is not a string")
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
      kind(.dictionary)
      return try dictionary(entries)
    }
    if let number = value as? NSNumber, !(number is NSDecimalNumber), number.objCType.pointee == Self.floatType {
      kind(.float)
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
    kind(try kind(of: value))
    switch value {
    case .null, .bool: break
    case .integer(let integer): signed(integer)
    case .real(let real): bits(real.bitPattern)
    case .decimal(let decimal): text(decimal.description)
    case .string(let string): text(string)
    case .date(let date): bits(date.timeIntervalSinceReferenceDate.bitPattern)
    case .data(let data):
      number(data.count)
      buffer.bytes += Array(data)
    case .uuid(let uuid): text(uuid.uuidString)
    case .url(let url): text(url.absoluteString)
    case .list(let values):
      number(values.count)
      for value in values { try constant(value) }
    case .reference, .row: break
    }
  }

  func kind(of value: PredicateValue) throws(ModelArchiveError) -> ModelArchiveFormat.ConstantKind {
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
}
