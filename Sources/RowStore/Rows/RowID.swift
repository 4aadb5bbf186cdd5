import Synchronization

/// Identifies a row within a coordinator: store, entity and key in 8 bytes.
///
/// | bits | what |
/// |---|---|
/// | 56…63 | the store's number in its coordinator, 1…255; 0 if the row is in no store |
/// | 44…55 | the number of the row's own entity in the model, 1…4,095 |
/// | 0…43 | the key, signed: positive in a store, negative if temporary |
@usableFromInline
package struct RowID: Hashable, Sendable, CustomStringConvertible {
  @usableFromInline package let bits: UInt64

  @inlinable package init(bits: UInt64) { self.bits = bits }

  @inlinable package init(store: Int, entity: Int, key: Int64) {
    bits = UInt64(store) << 56 | UInt64(entity) << 44 | UInt64(bitPattern: key) & 0xFFF_FFFF_FFFF
  }

  /// No row: the value of a nil to-one relationship.
  @inlinable package static var none: RowID { RowID(bits: 0) }

  @inlinable package var store: Int { Int(bits >> 56) }
  @inlinable package var entity: Int { Int(bits >> 44 & 0xFFF) }
  @inlinable package var key: Int64 { Int64(bitPattern: bits << 20) >> 20 }
  @inlinable package var isTemporary: Bool { bits & 0x800_0000_0000 != 0 }

  @usableFromInline package var description: String { "\(store):\(entity):\(key)" }

  /// The largest representable key.
  package static let maximumKey: Int64 = 0x7FF_FFFF_FFFF

  private static let lastTemporaryKey = Atomic<Int64>(0)

  /// A temporary ID, unique in the process's lifetime.
  package static func temporary(entity: Int) -> RowID {
    RowID(store: 0, entity: entity, key: lastTemporaryKey.subtract(1, ordering: .relaxed).newValue)
  }
}

extension [RowID] {
  /// Whether all rows are in one store.
  /// - Parameter store: the store's number.
  package func areAll(inStore store: Int) -> Bool { allSatisfy { $0.store == store } }
}

extension RowID {
  /// The first index to probe for the row in an open-addressing table.
  ///
  /// Eight consecutive keys are adjacent, because rows come and go in key order and a large table is slow if each
  /// look-up is far from the last. The group of eight is the high part of a product with the golden ratio, which
  /// distributes consecutive numbers as evenly as possible for any count.
  /// See Knuth, The Art of Computer Programming, volume 3, section 6.4.
  /// - Parameter count: the table's capacity, a multiple of 8.
  @inlinable @inline(__always)
  package func firstBucket(in count: Int) -> Int {
    let spread = (bits >> 3 &* 0x9E37_79B9_7F4A_7C15) >> 32
    let block = (spread &* UInt64(truncatingIfNeeded: count >> 3)) >> 32
    return Int(truncatingIfNeeded: block << 3 | bits & 7)
  }
}
