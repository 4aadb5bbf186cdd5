import Foundation

/// A class as it lies in memory: see https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeMetadata.rst.
struct ClassWords {
  static let word = MemoryLayout<UInt>.size
  /// Kind, superclass, three words of sizes, descriptor and destroyer come before the methods.
  static let firstMember = 7 * word

  private let words: UnsafeMutableRawPointer

  // A class is a pointer to what is read here.
  init(_ type: AnyClass) { words = unsafeBitCast(type, to: UnsafeMutableRawPointer.self) }

  var address: UInt { UInt(bitPattern: words) }
  var superclass: UInt { self[Self.word] }

  /// Bytes of an object.
  var instanceSize: UInt32 { words.load(fromByteOffset: 3 * Self.word, as: UInt32.self) }

  /// Bytes from the address on: the whole size, and what of it lies before the address, are the two halves of a word.
  var size: Int {
    let half = MemoryLayout<UInt32>.size
    let whole = words.load(fromByteOffset: 4 * Self.word, as: UInt32.self)
    let before = words.load(fromByteOffset: 4 * Self.word + half, as: UInt32.self)
    return max(0, Int(whole) - Int(before))
  }

  subscript(place: Int) -> UInt { words.load(fromByteOffset: place, as: UInt.self) }

  func set(_ place: Int, _ value: UInt) { words.storeBytes(of: value, toByteOffset: place, as: UInt.self) }

  /// Lets a class be written to that the linker put among what is only read.
  func makeWritable() -> Bool {
    let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
    let start = address / page * page
    return mprotect(
      UnsafeMutableRawPointer(bitPattern: start), Int(address - start) + size, PROT_READ | PROT_WRITE) == 0
  }
}
