import StrataRowStore

/// A page, which the holder retains and releases, and the index of a row in it, in one word: with the other such words
/// it makes an object 16 bytes smaller, which is a smaller block of the allocator.
///
/// Without a page it is a larger number, marked by the lowest bit, which is 0 in an address.
struct RowReference {
  private var bits: UInt64

  static let none = RowReference(bits: 0)

  private init(bits: UInt64) { self.bits = bits }

  /// A page has at most 65,535 rows: see `RowPage.maximumRows`.
  @inline(__always)
  init(_ page: Unmanaged<RowPage>, _ index: Int) {
    bits = PackedAddress.bits(page.toOpaque()) | UInt64(truncatingIfNeeded: index) << PackedAddress.width
  }

  init(waiting number: Int) { bits = UInt64(truncatingIfNeeded: number) << 1 | 1 }

  @inline(__always)
  var page: Unmanaged<RowPage>? {
    if bits & 1 != 0 || bits == 0 { return nil }
    return Unmanaged.fromOpaque(PackedAddress.address(in: bits))
  }

  /// The index of the row in the page, or the number without one.
  @inline(__always)
  var index: Int { Int(truncatingIfNeeded: bits & 1 == 0 ? bits >> PackedAddress.width : bits >> 1) }
}

/// An address with other bits above it. User space has 48 bits at most: `ObjectRegistry` stops the program if an object
/// is elsewhere.
enum PackedAddress {
  static let width: UInt64 = 48
  static let mask: UInt64 = 0xFFFF_FFFF_FFFF

  @inline(__always)
  static func bits(_ address: UnsafeRawPointer) -> UInt64 { UInt64(UInt(bitPattern: address)) }

  /// The address, which is not 0.
  @inline(__always)
  static func address(in bits: UInt64) -> UnsafeRawPointer {
    UnsafeRawPointer(bitPattern: UInt(bits & mask)).unsafelyUnwrapped
  }
}
