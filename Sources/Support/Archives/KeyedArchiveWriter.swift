import Foundation

/// Builds a keyed archive from objects given by class names and keys.
package struct KeyedArchiveWriter {
  /// The value that an object encodes for a key.
  package enum Value {
    case boolean(Bool)
    case integer(Int)
    case real(Double)
    /// Another object, or nil.
    case object(KeyedArchive.UID?)
  }

  private var objects: [PropertyListNode] = [.string("$null")]
  /// By bytes: to Swift, texts of other scalars may be equal.
  private var texts: [[UInt8]: KeyedArchive.UID] = [:]
  private var classes: [String: KeyedArchive.UID] = [:]

  package init() {}

  /// The archive with the given root object.
  package func bytes(root: KeyedArchive.UID) -> [UInt8] {
    BinaryPropertyListWriter.bytes(
      of: .dictionary([
        ("$version", .integer(100_000)), ("$archiver", .string("NSKeyedArchiver")),
        ("$top", .dictionary([("root", .reference(root))])), ("$objects", .array(objects)),
      ]))
  }

  /// Reserves an index for an object that others refer to before it is encoded.
  package mutating func reserve() -> KeyedArchive.UID {
    objects.append(.string("$null"))
    return objects.count - 1
  }

  /// Encodes an object at a reserved index.
  /// - Parameter ancestry: the names of its class and superclasses, except the root class.
  package mutating func put(
    _ ancestry: [String], entries: [(key: String, value: Value)], at uid: KeyedArchive.UID
  ) {
    put(ancestry, at: uid, entries: entries.map { ($0.key, Self.node($0.value)) })
  }

  private mutating func put(
    _ ancestry: [String], at uid: KeyedArchive.UID, entries: [(key: String, value: PropertyListNode)]
  ) {
    objects[uid] = .dictionary(entries + [("$class", .reference(type(ancestry)))])
  }

  package mutating func add(_ ancestry: [String], entries: [(key: String, value: Value)]) -> KeyedArchive.UID {
    let uid = reserve()
    put(ancestry, entries: entries, at: uid)
    return uid
  }

  private static func node(_ value: Value) -> PropertyListNode {
    switch value {
    case .boolean(let flag): .boolean(flag)
    case .integer(let integer): .integer(Int64(integer))
    case .real(let real): .real(real)
    case .object(let uid): .reference(uid ?? 0)
    }
  }

  private mutating func type(_ ancestry: [String]) -> KeyedArchive.UID {
    let name = ancestry.first ?? "NSObject"
    if let known = classes[name] { return known }
    let uid = reserve()
    let names = ancestry + ["NSObject"]
    objects[uid] = .dictionary([
      ("$classname", .string(name)), ("$classes", .array(names.map(PropertyListNode.string))),
    ])
    classes[name] = uid
    return uid
  }

  package mutating func text(_ text: String) -> KeyedArchive.UID {
    let bytes = Array(text.utf8)
    if let known = texts[bytes] { return known }
    objects.append(.string(text))
    texts[bytes] = objects.count - 1
    return objects.count - 1
  }

  package mutating func plain(_ value: Value) -> KeyedArchive.UID {
    objects.append(Self.node(value))
    return objects.count - 1
  }

  package mutating func data(_ data: Data) -> KeyedArchive.UID {
    objects.append(.data(data))
    return objects.count - 1
  }

  /// Encodes a collection: `NSArray`, `NSMutableArray` or `NSSet`.
  package mutating func list(_ ancestry: [String], members: [KeyedArchive.UID]) -> KeyedArchive.UID {
    let uid = reserve()
    put(ancestry, at: uid, entries: [("NS.objects", .array(members.map(PropertyListNode.reference)))])
    return uid
  }

  /// Encodes an `NSDictionary` or `NSMutableDictionary`.
  package mutating func dictionary(
    _ ancestry: [String], entries: [(key: String, value: KeyedArchive.UID)]
  ) -> KeyedArchive.UID {
    let uid = reserve()
    let keys = entries.map { PropertyListNode.reference(text($0.key)) }
    let values = entries.map { PropertyListNode.reference($0.value) }
    put(ancestry, at: uid, entries: [("NS.keys", .array(keys)), ("NS.objects", .array(values))])
    return uid
  }

  /// Encodes an object whose content is data for one key.
  package mutating func object(_ ancestry: [String], key: String, data: Data) -> KeyedArchive.UID {
    let uid = reserve()
    put(ancestry, at: uid, entries: [(key, .data(data))])
    return uid
  }
}

extension KeyedArchiveWriter {
  /// Encodes a decimal number: a mantissa in 16-bit groups, least significant first, times a power of ten.
  package mutating func decimal(_ decimal: Decimal) -> KeyedArchive.UID {
    let groups = Self.groups(of: decimal.isNaN ? 0 : decimal.significand)
    let bytes = (0..<8).flatMap { uid -> [UInt8] in
      let group = uid < groups.count ? groups[uid] : 0
      return [UInt8(truncatingIfNeeded: group), UInt8(group >> 8)]
    }
    let uid = reserve()
    put(
      ["NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue"], at: uid,
      entries: [
        ("NS.mantissa", .data(Data(bytes))), ("NS.exponent", .integer(Int64(decimal.exponent))),
        ("NS.length", .integer(Int64(groups.count))), ("NS.mantissa.bo", .integer(1)), ("NS.compact", .boolean(false)),
        ("NS.negative", .boolean(decimal.isNaN || decimal.sign == .minus)),
      ])
    return uid
  }

  private static func groups(of significand: Decimal) -> [UInt16] {
    var groups: [UInt16] = []
    for digit in significand.magnitude.description.utf8 {
      var carry = UInt32(digit - UInt8(ascii: "0"))
      for uid in groups.indices {
        carry += UInt32(groups[uid]) * 10
        groups[uid] = UInt16(truncatingIfNeeded: carry)
        carry >>= 16
      }
      if carry > 0 { groups.append(UInt16(carry)) }
    }
    return groups
  }
}
