import Foundation

/// A decimal number in a keyed archive.
///
/// Foundation on Linux overflows the stack when it archives an `NSDecimalNumber`, and reads one with another value. This
/// class takes its place, under its name and with its keys, so that archives are those of Apple's systems.
final class ArchivedDecimal: NSObject, NSSecureCoding {
  /// The class's name in archives.
  static let className = "NSDecimalNumber"

  let value: Decimal

  init(_ value: Decimal) { self.value = value }

  static var supportsSecureCoding: Bool { true }

  /// The class that the archive names.
  override var classForCoder: AnyClass { NSDecimalNumber.self }

  private enum Key {
    static let exponent = "NS.exponent"
    static let length = "NS.length"
    static let isNegative = "NS.negative"
    static let isCompact = "NS.compact"
    static let byteOrder = "NS.mantissa.bo"
    static let mantissa = "NS.mantissa"
  }

  private static let littleEndian: Int32 = 1

  func encode(with coder: NSCoder) {
    var value = value
    NSDecimalCompact(&value)
    // A number that is not one has no digits and the sign of a negative one.
    let digits = value.isNaN ? 0 : UInt128(value.magnitude.significand.description) ?? 0
    let words = (UInt128.bitWidth - digits.leadingZeroBitCount + 15) / 16
    coder.encode(Int32(value.isNaN ? 0 : value.exponent), forKey: Key.exponent)
    coder.encode(Int32(words), forKey: Key.length)
    coder.encode(value.isNaN || value.sign == .minus, forKey: Key.isNegative)
    coder.encode(true, forKey: Key.isCompact)
    coder.encode(Self.littleEndian, forKey: Key.byteOrder)
    coder.encode(NSData(data: withUnsafeBytes(of: digits.littleEndian) { Data($0) }), forKey: Key.mantissa)
  }

  init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: Key.mantissa) as Data?, data.count == 16 else {
      return nil
    }
    let isLittle = coder.decodeInt32(forKey: Key.byteOrder) == Self.littleEndian
    // The mantissa is a list of 16-bit words, the lowest first, in the byte order of the writer.
    let words = stride(from: 0, to: data.count, by: 2).map { place in
      let (first, second) = (UInt128(data[data.startIndex + place]), UInt128(data[data.startIndex + place + 1]))
      return isLittle ? first | second << 8 : first << 8 | second
    }
    let length = Int(coder.decodeInt32(forKey: Key.length))
    let digits = words.prefix(max(0, length)).reversed().reduce(UInt128(0)) { $0 << 16 | $1 }
    let isNegative = coder.decodeBool(forKey: Key.isNegative)
    if length == 0, isNegative {
      value = .nan
    } else {
      guard let significand = Decimal(string: "\(digits)") else { return nil }
      value = Decimal(
        sign: isNegative ? .minus : .plus, exponent: Int(coder.decodeInt32(forKey: Key.exponent)),
        significand: significand)
    }
    super.init()
  }
}

/// Exchanges the decimal numbers in collections for those of archives, and the other way round.
struct DecimalExchange: Sendable {
  /// The collections within collections that an archive may have. More are not read again: see `ArchiveContents`.
  static let maximumDepth = 500

  /// Returns another value for one that is not a collection; nil to keep it.
  let exchange: @Sendable (Any) -> NSObject?

  static let archiving = DecimalExchange { member in
    // Not a cast to Decimal, which converts other numbers.
    if let decimal = member as? NSDecimalNumber { return ArchivedDecimal(decimal.decimalValue) }
    guard type(of: member) == Decimal.self, let decimal = member as? Decimal else { return nil }
    return ArchivedDecimal(decimal)
  }

  static let unarchiving = DecimalExchange { member in
    (member as? ArchivedDecimal).map { NSDecimalNumber(decimal: $0.value) }
  }

  /// A collection within too many others.
  struct TooDeep: Error {}

  /// The results for the objects of one value, each of which may be in many collections: without them, the time would be
  /// exponential in the depth. The value keeps the objects alive.
  private typealias Results = [ObjectIdentifier: NSObject?]

  /// - Returns: nil if the value contains nothing to exchange.
  /// - Throws: `TooDeep` for a collection that contains itself.
  func exchanged(_ value: Any) throws(TooDeep) -> NSObject? {
    var results = Results()
    return try exchanged(value, depth: 0, &results)
  }

  private func exchanged(_ value: Any, depth: Int, _ results: inout Results) throws(TooDeep) -> NSObject? {
    guard depth < Self.maximumDepth else { throw TooDeep() }
    let identity = type(of: value) is AnyClass ? ObjectIdentifier(value as AnyObject) : nil
    if let identity, let known = results[identity] { return known }
    let result = try contents(of: value, depth: depth, &results)
    if let identity { results[identity] = .some(result) }
    return result
  }

  private func contents(of value: Any, depth: Int, _ results: inout Results) throws(TooDeep) -> NSObject? {
    switch value {
    case let array as NSArray: return try members(array.map(\.self), depth, &results).map { NSArray(array: $0) }
    case let set as NSSet: return try members(set.map(\.self), depth, &results).map { NSSet(array: $0) }
    case let set as NSOrderedSet: return try members(set.array, depth, &results).map { NSOrderedSet(array: $0) }
    case let dictionary as NSDictionary:
      let (keys, values) = (dictionary.allKeys, dictionary.allKeys.map { dictionary[$0] ?? NSNull() })
      let (newKeys, newValues) = (try members(keys, depth, &results), try members(values, depth, &results))
      if newKeys == nil, newValues == nil { return nil }
      let pairs = NSMutableDictionary()
      for (key, value) in zip(newKeys ?? keys, newValues ?? values) {
        if let key = key as? AnyHashable { pairs[key] = value }
      }
      return pairs
    default: return exchange(value)
    }
  }

  /// - Returns: nil if no member contains anything to exchange.
  private func members(_ members: [Any], _ depth: Int, _ results: inout Results) throws(TooDeep) -> [Any]? {
    var (found, isNew) = ([Any](), false)
    for member in members {
      let new = try exchanged(member, depth: depth + 1, &results)
      isNew = isNew || new != nil
      found.append(new ?? member)
    }
    return isNew ? found : nil
  }
}
