/// An object's registry, life and flags in one word: the address, 12 bits of flags from bit 48, and the life from bit 60.
struct ObjectState {
  private var bits: UInt64

  private static let lifeShift: UInt64 = 60
  private static let flagMask: UInt64 = 0xFFF << PackedAddress.width

  @inline(__always)
  init(_ registry: Unmanaged<ObjectRegistry>, _ life: ObjectLife) {
    bits = PackedAddress.bits(registry.toOpaque()) | UInt64(life.rawValue) << Self.lifeShift
  }

  @inline(__always)
  var registry: Unmanaged<ObjectRegistry> {
    get { Unmanaged.fromOpaque(PackedAddress.address(in: bits)) }
    set { bits = bits & ~PackedAddress.mask | PackedAddress.bits(newValue.toOpaque()) }
  }

  @inline(__always)
  var life: ObjectLife {
    // Only lives are stored.
    get { ObjectLife(rawValue: UInt8(truncatingIfNeeded: bits >> Self.lifeShift)).unsafelyUnwrapped }
    set { bits = bits & (1 << Self.lifeShift &- 1) | UInt64(newValue.rawValue) << Self.lifeShift }
  }

  @inline(__always)
  var flags: ObjectFlags {
    get { ObjectFlags(rawValue: UInt16(truncatingIfNeeded: (bits & Self.flagMask) >> PackedAddress.width)) }
    set { bits = bits & ~Self.flagMask | UInt64(newValue.rawValue) << PackedAddress.width & Self.flagMask }
  }
}
