/// The part of a class's metadata that this package reads: see
/// https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeMetadata.rst.
@usableFromInline package enum ClassMetadata {
  /// The size of an instance in bytes. It follows the kind, the superclass and a word that is not used on Linux.
  @inlinable package static func instanceSize(of type: AnyClass) -> UInt32 {
    // A class reference is a pointer to its metadata.
    let words = unsafeBitCast(type, to: UnsafeRawPointer.self)
    return words.load(fromByteOffset: 3 * MemoryLayout<UInt>.size, as: UInt32.self)
  }
}
