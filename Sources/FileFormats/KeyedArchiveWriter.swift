import Foundation

/// Builds a keyed archive from objects given by class names and keys.
package struct KeyedArchiveWriter {
  /// The value that an object encodes for a key.
  package enum Value {
    case boolean(Bool)
    case integer(Int)
    case real(Double)
    /// Another object, or nil.
    case object(KeyedArchive.Place?)
  }

  private var objects: [PropertyListNode] = [.string("$null")]
  private var texts: [String: KeyedArchive.Place] = [:]
  private var classes: [String: KeyedArchive.Place] = [:]

  package init() {}

  /// The archive with the given root object.
  package func bytes(root: KeyedArchive.Place) -> [UInt8] {
    BinaryPropertyListWriter.bytes(
      of: .dictionary([
        ("$version", .integer(100_000)), ("$archiver", .string("NSKeyedArchiver")),
        ("$top", .dictionary([("root", .reference(root))])), ("$objects", .array(objects)),
      ]))
  }

  /// Reserves an index for an object that others refer to before it is encoded.
  package mutating func reserve() -> KeyedArchive.Place {
    objects.append(.string("$null"))
    return objects.count - 1
  }

  /// Encodes an object at a reserved index.
  /// - Parameter ancestry: the names of its class and superclasses, except the root class.
  package mutating func put(
    _ ancestry: [String], entries: [(key: String, value: Value)], at place: KeyedArchive.Place
  ) {
    put(ancestry, at: place, entries: entries.map { ($0.key, Self.node($0.value)) })
  }

  private mutating func put(
    _ ancestry: [String], at place: KeyedArchive.Place, entries: [(key: String, value: PropertyListNode)]
  ) {
    objects[place] = .dictionary(entries + [("$class", .reference(type(ancestry)))])
  }

  package mutating func add(_ ancestry: [String], entries: [(key: String, value: Value)]) -> KeyedArchive.Place {
    let place = reserve()
    put(ancestry, entries: entries, at: place)
    return place
  }

  private static func node(_ value: Value) -> PropertyListNode {
    switch value {
    case .boolean(let flag): .boolean(flag)
    case .integer(let integer): .integer(Int64(integer))
    case .real(let real): .real(real)
    case .object(let place): .reference(place ?? 0)
    }
  }

  private mutating func type(_ ancestry: [String]) -> KeyedArchive.Place {
    let name = ancestry.first ?? "NSObject"
    if let known = classes[name] { return known }
    let place = reserve()
    let names = ancestry + ["NSObject"]
    objects[place] = .dictionary([
      ("$classname", .string(name)), ("$classes", .array(names.map(PropertyListNode.string))),
    ])
    classes[name] = place
    return place
  }

  package mutating func text(_ text: String) -> KeyedArchive.Place {
    if let known = texts[text] { return known }
    objects.append(.string(text))
    texts[text] = objects.count - 1
    return objects.count - 1
  }

  package mutating func plain(_ value: Value) -> KeyedArchive.Place {
    objects.append(Self.node(value))
    return objects.count - 1
  }

  package mutating func data(_ data: Data) -> KeyedArchive.Place {
    objects.append(.data(data))
    return objects.count - 1
  }

  /// Encodes a collection: `NSArray`, `NSMutableArray` or `NSSet`.
  package mutating func list(_ ancestry: [String], members: [KeyedArchive.Place]) -> KeyedArchive.Place {
    let place = reserve()
    put(ancestry, at: place, entries: [("NS.objects", .array(members.map(PropertyListNode.reference)))])
    return place
  }

  /// Encodes an `NSDictionary` or `NSMutableDictionary`.
  package mutating func dictionary(
    _ ancestry: [String], entries: [(key: String, value: KeyedArchive.Place)]
  ) -> KeyedArchive.Place {
    let place = reserve()
    let keys = entries.map { PropertyListNode.reference(text($0.key)) }
    let values = entries.map { PropertyListNode.reference($0.value) }
    put(ancestry, at: place, entries: [("NS.keys", .array(keys)), ("NS.objects", .array(values))])
    return place
  }

  /// Encodes an object whose content is data for one key.
  package mutating func object(_ ancestry: [String], key: String, data: Data) -> KeyedArchive.Place {
    let place = reserve()
    put(ancestry, at: place, entries: [(key, .data(data))])
    return place
  }
}

extension KeyedArchiveWriter {
  /// Encodes a decimal number: a mantissa in 16-bit groups, least significant first, times a power of ten.
  package mutating func decimal(_ decimal: Decimal) -> KeyedArchive.Place {
    let groups = Self.groups(of: decimal.isNaN ? 0 : decimal.significand)
    let bytes = (0..<8).flatMap { place -> [UInt8] in
      let group = place < groups.count ? groups[place] : 0
      return [UInt8(truncatingIfNeeded: group), UInt8(group >> 8)]
    }
    let place = reserve()
    put(
      ["NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue"], at: place,
      entries: [
        ("NS.mantissa", .data(Data(bytes))), ("NS.exponent", .integer(Int64(decimal.exponent))),
        ("NS.length", .integer(Int64(groups.count))), ("NS.mantissa.bo", .integer(1)), ("NS.compact", .boolean(false)),
        ("NS.negative", .boolean(decimal.isNaN || decimal.sign == .minus)),
      ])
    return place
  }

  private static func groups(of significand: Decimal) -> [UInt16] {
    var groups: [UInt16] = []
    for digit in significand.magnitude.description.utf8 {
      var carry = UInt32(digit - UInt8(ascii: "0"))
      for place in groups.indices {
        carry += UInt32(groups[place]) * 10
        groups[place] = UInt16(truncatingIfNeeded: carry)
        carry >>= 16
      }
      if carry > 0 { groups.append(UInt16(carry)) }
    }
    return groups
  }
}
