/// An object's edits, what was prefetched with it, or its last ID, in one word: few objects have several, and the edits
/// of those hold the others. The holder retains and releases the parts.
struct ObjectExtra {
  /// An address; the lowest bit marks what was prefetched, the next one an ID. The third bit alone marks `ownRow`.
  private var bits: UInt

  static let none = ObjectExtra(bits: 0)

  /// Edits that only say that the object has its own row, as most new objects have: it takes no memory.
  static let ownRow = ObjectExtra(bits: 4)

  private init(bits: UInt) { self.bits = bits }

  @inline(__always)
  init(_ edits: Unmanaged<ObjectEdits>) { bits = UInt(bitPattern: edits.toOpaque()) }

  @inline(__always)
  init(_ ahead: Unmanaged<PrefetchCache>) { bits = UInt(bitPattern: ahead.toOpaque()) | 1 }

  @inline(__always)
  init(_ id: Unmanaged<NSManagedObjectID>) { bits = UInt(bitPattern: id.toOpaque()) | 2 }

  @inline(__always)
  var isNone: Bool { bits == 0 }

  @inline(__always)
  var isOwnRow: Bool { bits == 4 }

  @inline(__always)
  var edits: Unmanaged<ObjectEdits>? {
    bits & 7 != 0 ? nil : UnsafeRawPointer(bitPattern: bits).map(Unmanaged.fromOpaque)
  }

  @inline(__always)
  var prefetchCache: Unmanaged<PrefetchCache>? {
    bits & 1 == 0 ? nil : UnsafeRawPointer(bitPattern: bits & ~1).map(Unmanaged.fromOpaque)
  }

  var lastID: Unmanaged<NSManagedObjectID>? {
    bits & 2 == 0 ? nil : UnsafeRawPointer(bitPattern: bits & ~2).map(Unmanaged.fromOpaque)
  }

  @inline(__always)
  func release() {
    edits?.release()
    prefetchCache?.release()
    lastID?.release()
  }
}
