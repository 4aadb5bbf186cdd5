import Foundation

/// A property list as a tree, including the references of keyed archives.
package indirect enum PropertyListNode {
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case data(Data)
  case string(String)
  /// A reference to an object of a keyed archive.
  case reference(Int)
  case array([PropertyListNode])
  case dictionary([(key: String, value: PropertyListNode)])
}

/// Encodes a tree as a binary property list; see `BinaryPropertyList` for the format. Strings of the same scalars are
/// written once.
package struct BinaryPropertyListWriter {
  private var objects: [[UInt8]] = []
  /// By bytes: to Swift, strings of other scalars may be equal.
  private var strings: [[UInt8]: Int] = [:]
  private let referenceSize: Int

  package static func bytes(of root: PropertyListNode) -> [UInt8] {
    var writer = BinaryPropertyListWriter(referenceSize: size(of: count(root)))
    let top = writer.add(root)
    return writer.file(top: top)
  }

  private init(referenceSize: Int) { self.referenceSize = referenceSize }

  /// An upper bound for the number of objects: the number of nodes.
  private static func count(_ node: PropertyListNode) -> Int {
    switch node {
    case .array(let members): members.reduce(1) { $0 + count($1) }
    case .dictionary(let entries): entries.reduce(1) { $0 + 1 + count($1.value) }
    default: 1
    }
  }

  private static func size(of number: Int) -> Int { number < 0x100 ? 1 : number < 0x1_0000 ? 2 : 4 }

  private mutating func add(_ node: PropertyListNode) -> Int {
    let index = objects.count
    if case .string(let text) = node {
      let bytes = Array(text.utf8)
      if let known = strings[bytes] { return known }
      strings[bytes] = index
    }
    objects.append([])
    objects[index] = content(of: node)
    return index
  }

  private mutating func content(of node: PropertyListNode) -> [UInt8] {
    switch node {
    case .boolean(let flag): return [flag ? 0x09 : 0x08]
    case .integer(let integer): return Self.integer(integer)
    case .real(let real): return [0x23] + Self.bigEndian(real.bitPattern, size: 8)
    case .data(let data): return Self.head(0x40, count: data.count) + Array(data)
    case .string(let text): return Self.text(text)
    case .reference(let number):
      let size = Self.size(of: number)
      return [0x80 | UInt8(size - 1)] + Self.bigEndian(UInt64(number), size: size)
    case .array(let members): return Self.head(0xA0, count: members.count) + members.flatMap { reference(to: $0) }
    case .dictionary(let entries):
      let keys = entries.flatMap { reference(to: .string($0.key)) }
      return Self.head(0xD0, count: entries.count) + keys + entries.flatMap { reference(to: $0.value) }
    }
  }

  private mutating func reference(to node: PropertyListNode) -> [UInt8] {
    Self.bigEndian(UInt64(add(node)), size: referenceSize)
  }

  private static func integer(_ integer: Int64) -> [UInt8] {
    // Negative numbers take eight bytes.
    let size = integer < 0 ? 8 : integer < 0x100 ? 1 : integer < 0x1_0000 ? 2 : integer < 0x1_0000_0000 ? 4 : 8
    return [0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(UInt64(bitPattern: integer), size: size)
  }

  private static func text(_ text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ $0 < 128 }) { return head(0x50, count: text.utf8.count) + Array(text.utf8) }
    return head(0x60, count: text.utf16.count) + text.utf16.flatMap { bigEndian(UInt64($0), size: 2) }
  }

  private static func head(_ kind: UInt8, count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 0x0F] + integer(Int64(count))
  }

  private static func bigEndian(_ value: UInt64, size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> ((size - 1 - $0) * 8)) }
  }

  private func file(top: Int) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    let offsetSize = Self.size(of: table)
    for offset in offsets { bytes += Self.bigEndian(UInt64(offset), size: offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [objects.count, top, table] { bytes += Self.bigEndian(UInt64(number), size: 8) }
    return bytes
  }
}
