import Foundation

/// A class's metadata in memory: see https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeMetadata.rst.
struct ClassMetadata {
  static let word = MemoryLayout<UInt>.size
  /// Methods follow the kind, the superclass, three words of sizes, the descriptor and the destroyer.
  static let firstMember = 7 * word

  private let words: UnsafeMutableRawPointer

  // A class reference is a pointer to its metadata.
  init(_ type: AnyClass) { words = unsafeBitCast(type, to: UnsafeMutableRawPointer.self) }

  var address: UInt { UInt(bitPattern: words) }
  var superclass: UInt { self[Self.word] }

  /// The size of an instance in bytes.
  var instanceSize: UInt32 { words.load(fromByteOffset: 3 * Self.word, as: UInt32.self) }

  /// The size in bytes from the address point on: one word holds the total size and the part before the address point.
  var size: Int {
    let half = MemoryLayout<UInt32>.size
    let whole = words.load(fromByteOffset: 4 * Self.word, as: UInt32.self)
    let before = words.load(fromByteOffset: 4 * Self.word + half, as: UInt32.self)
    return max(0, Int(whole) - Int(before))
  }

  subscript(place: Int) -> UInt { words.load(fromByteOffset: place, as: UInt.self) }

  func set(_ place: Int, at value: UInt) { words.storeBytes(of: value, toByteOffset: place, as: UInt.self) }

  /// Makes the metadata writable, because the linker may have placed it in a read-only segment.
  func makeWritable() -> Bool {
    let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
    let start = address / page * page
    return mprotect(
      UnsafeMutableRawPointer(bitPattern: start), Int(address - start) + size, PROT_READ | PROT_WRITE) == 0
  }
}
