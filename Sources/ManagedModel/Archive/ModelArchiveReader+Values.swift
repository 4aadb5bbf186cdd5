import Foundation
import StrataFormats
import StrataPredicates

extension ModelArchiveReader {
  func damage(_ what: String) -> ModelArchiveError {
    ModelArchiveError("the embedded model is damaged: \(what) at byte \(position - bytes.startIndex)")
  }

  mutating func consume<Value>(
    _ count: Int, read: (ArraySlice<UInt8>) -> Value
  ) throws(ModelArchiveError) -> Value {
    guard count >= 0, count <= bytes.endIndex - position else { throw damage("it is cut off") }
    defer { position += count }
    return read(bytes[position..<position + count])
  }

  mutating func flags() throws(ModelArchiveError) -> UInt8 {
    guard position < bytes.endIndex else { throw damage("it is cut off") }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func number() throws(ModelArchiveError) -> Int {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte = try flags()
      value |= UInt64(byte & 127) << shift
      if byte < 128 { return Int(Int64(bitPattern: value)) }
      shift += 7
    }
  }

  mutating func signed() throws(ModelArchiveError) -> Int64 {
    let zigzag = UInt64(bitPattern: Int64(try number()))
    return Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
  }

  /// Reads the number of items that follow, each of which takes at least one byte.
  mutating func count() throws(ModelArchiveError) -> Int {
    let count = try number()
    guard count >= 0, count <= bytes.endIndex - position else { throw damage("too many elements") }
    return count
  }

  mutating func text() throws(ModelArchiveError) -> String? {
    let number = try number()
    guard number > 0 else { return nil }
    guard number <= texts.count else { throw damage("a reference to a missing text") }
    return texts[number - 1]
  }

  mutating func entity() throws(ModelArchiveError) -> NSEntityDescription {
    let number = try number()
    guard entities.indices.contains(number) else { throw damage("a reference to a missing entity") }
    return entities[number]
  }

  mutating func list<Member>(
    _ read: (inout ModelArchiveReader) throws(ModelArchiveError) -> Member
  ) throws(ModelArchiveError) -> [Member] {
    let count = try self.count()
    var members: [Member] = []
    members.reserveCapacity(count)
    for _ in 0..<count { members.append(try read(&self)) }
    return members
  }

  mutating func optional<Value>(
    _ read: (inout ModelArchiveReader) throws(ModelArchiveError) -> Value
  ) throws(ModelArchiveError) -> Value? {
    try flags() == 0 ? nil : try read(&self)
  }

  /// Returns nil, with a warning, for an invalid predicate.
  mutating func predicate(of what: String) throws(ModelArchiveError) -> NSPredicate? {
    guard let text = try text() else { return nil }
    do throws(PredicateSyntaxError) {
      return .predicate(with: try PredicateParser.tree(text))
    } catch {
      warnings.append("\(what) is left out: \(error)")
      return nil
    }
  }

  /// Returns nil, with a warning, for an invalid expression.
  mutating func expression(_ text: String, of what: String) -> ExpressionNode? {
    do throws(PredicateSyntaxError) {
      return try PredicateParser.expression(text)
    } catch {
      warnings.append("\(what) is left out: \(error)")
      return nil
    }
  }

  mutating func userInfo() throws(ModelArchiveError) -> [AnyHashable: Any]? {
    try optional { reader throws(ModelArchiveError) in try reader.dictionary() }
  }

  mutating func dictionary() throws(ModelArchiveError) -> [String: Any] {
    var entries: [String: Any] = [:]
    for _ in 0..<(try self.count()) { entries[try text() ?? ""] = try constant() }
    return entries
  }

  mutating func constant() throws(ModelArchiveError) -> Any? {
    guard let kind = ModelArchiveFormat.ConstantKind(rawValue: try flags()) else {
      throw damage("an unknown kind of value")
    }
    switch kind {
    case .null: return nil
    case .no: return NSNumber(value: false)
    case .yes: return NSNumber(value: true)
    case .integer: return NSNumber(value: try signed())
    case .double: return NSNumber(value: Double(bitPattern: try bits()))
    case .float: return NSNumber(value: Float(bitPattern: UInt32(truncatingIfNeeded: try bits())))
    case .decimal: return try text().flatMap { Decimal(string: $0) }.map(NSDecimalNumber.init(decimal:))
    case .text: return try text()
    case .date: return Date(timeIntervalSinceReferenceDate: Double(bitPattern: try bits()))
    case .data: return try consume(try number()) { Data($0) }
    case .uuid: return try text().flatMap(UUID.init(uuidString:))
    case .url: return try text().flatMap(URL.init(string:))
    case .list: return try list { reader throws(ModelArchiveError) in try reader.constant() ?? NSNull() }
    case .dictionary: return try dictionary()
    }
  }

  mutating func bits() throws(ModelArchiveError) -> UInt64 {
    try consume(8) { $0.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
  }
}
