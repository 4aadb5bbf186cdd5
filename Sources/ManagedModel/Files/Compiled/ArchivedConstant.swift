import Foundation
import StrataSupport

/// Constants in an archive: default values, user info, operands of predicates.
extension KeyedArchive {
  /// Decodes a value of Foundation's or Swift's; numbers become `NSNumber`. Returns nil for an object of any other
  /// class.
  package func constant(_ value: Value) -> Any? {
    constant(value, within: [])
  }

  /// - Parameter outer: the collections that contain the value; in a damaged archive it may be one of them.
  private func constant(_ value: Value, within outer: [UID]) -> Any? {
    switch value {
    case .plain(let plain): return Self.constant(plain)
    case .object(let uid):
      guard !outer.contains(uid), outer.count < 100 else { return nil }
      return object(uid).flatMap { constant($0, within: outer + [uid]) }
    }
  }

  private static func constant(_ plain: BinaryPropertyList.Value) -> Any? {
    switch plain {
    case .boolean(let flag): NSNumber(value: flag)
    case .integer(let integer): NSNumber(value: integer)
    case .real(let real): NSNumber(value: real)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let data): data
    case .string(let text): text
    case .null, .reference, .array, .dictionary: nil
    }
  }

  private func constant(_ object: ArchivedObject, within outer: [UID]) -> Any? {
    switch object.className {
    case "NSString", "NSMutableString": object.text("NS.string")
    case "NSData", "NSMutableData": object.data("NS.data")
    case "NSDate": object.real("NS.time").map(Date.init(timeIntervalSinceReferenceDate:))
    case "NSUUID": object.data("NS.uuidbytes").flatMap(Self.uuid)
    case "NSURL": object.text("NS.relative").flatMap { URL(string: $0, relativeTo: object.base) }
    case "NSDecimalNumber", "NSDecimalNumberPlaceholder": object.decimal.map(NSDecimalNumber.init(decimal:))
    case "NSNull": NSNull()
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet": list(object, within: outer)
    case "NSDictionary", "NSMutableDictionary", "NSKnownKeysDictionary1": dictionary(object, within: outer)
    default: nil
    }
  }

  private func list(_ object: ArchivedObject, within outer: [UID]) -> Any? {
    let members = object.members.compactMap { constant($0, within: outer) }
    return members.count == object.members.count ? members : nil
  }

  private func dictionary(_ object: ArchivedObject, within outer: [UID]) -> Any? {
    Dictionary(
      object.pairs.compactMap { key, value in constant(value, within: outer).map { (key, $0) } },
      uniquingKeysWith: { _, last in last })
  }

  private static func uuid(_ data: Data) -> UUID? {
    guard data.count == 16 else { return nil }
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: data) }
    return UUID(uuid: bytes)
  }
}

extension ArchivedObject {
  func data(_ key: String) -> Data? {
    guard case .plain(.data(let data)) = self[key] else { return nil }
    return data
  }

  func real(_ key: String) -> Double? {
    switch self[key] {
    case .plain(.real(let real)), .plain(.date(let real)): real
    case .plain(.integer(let integer)): Double(integer)
    default: nil
    }
  }

  fileprivate var base: URL? { object("NS.base")?.text("NS.relative").flatMap(URL.init(string:)) }

  /// Digits in groups of 16 bits, the lowest first; each in the byte order of the machine that wrote it.
  fileprivate var decimal: Decimal? {
    guard let mantissa = data("NS.mantissa").map(Array.init), let exponent = integer("NS.exponent") else { return nil }
    if integer("NS.length") == 0 { return flag("NS.negative") ? Decimal.nan : 0 }
    let isBigEndian = integer("NS.mantissa.bo") == 2
    var significand = Decimal(0)
    for uid in stride(from: mantissa.count - 2, through: 0, by: -2) {
      let (low, high) = isBigEndian ? (uid + 1, uid) : (uid, uid + 1)
      significand = significand * 65_536 + Decimal(Int(mantissa[high]) << 8 | Int(mantissa[low]))
    }
    return Decimal(sign: flag("NS.negative") ? .minus : .plus, exponent: exponent, significand: significand)
  }
}
