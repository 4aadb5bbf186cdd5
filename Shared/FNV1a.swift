/// The 64-bit hash FNV-1a: short, fast, and the same in every process. Not for secrets.
/// http://www.isthe.com/chongo/tech/comp/fnv/
public struct FNV1a: Equatable, Sendable {
  public var value: UInt64 = 0xCBF2_9CE4_8422_2325

  public init() {}

  /// The hash of a text's UTF-8.
  public init(_ text: String) {
    add(text.utf8)
  }

  // Inlined into other modules, where it takes bodies of many megabytes.
  @inlinable
  public mutating func add(_ bytes: some Sequence<UInt8>) {
    value = bytes.reduce(value) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
