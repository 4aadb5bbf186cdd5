import StrataManagedModel

/// The encoding of an entity's properties in the history.
package struct HistoryColumns: Sendable {
  /// The properties in the order of their bits: to-one relationships, attributes, then to-many relationships, each
  /// group by name and with inherited and transient ones. The elements of a composite attribute share its bit.
  package let names: [String]
  /// The number of these that have the same bits when Apple's framework writes them. Its order of several to-many
  /// relationships is unknown, and so are its bits for entities with fetched properties or composite attributes.
  private let shared: Int
  /// The slots whose values are kept when a row is deleted, in the order of their columns. The column of large data
  /// that may be in a file stays empty, as the file is deleted with the row.
  package let tombstones: [Int]
  private let slots: [PropertySlot]
  private let bitOfSlot: [Int]
  private let bitOfToMany: [Int]

  package init(_ layout: EntityLayout) {
    self.slots = layout.slots
    let slots = layout.slots.indices.sorted { Self.precedes(layout.slots[$0], layout.slots[$1]) }
    let toMany = layout.toMany.indices.sorted { Self.precedes(layout.toMany[$0].name, layout.toMany[$1].name) }
    let ordered = slots.filter { layout.slots[$0].kind == .toOne } + slots.filter { layout.slots[$0].kind != .toOne }
    var names: [String] = []
    var bitOfSlot = [Int](repeating: 0, count: slots.count)
    for slot in ordered {
      // The elements of a composite attribute are adjacent.
      let name = layout.slots[slot].ownerName
      if names.last != name { names.append(name) }
      bitOfSlot[slot] = names.count - 1
    }
    var bitOfToMany = [Int](repeating: 0, count: toMany.count)
    for number in toMany {
      bitOfToMany[number] = names.count
      names.append(layout.toMany[number].name)
    }
    self.names = names
    let isKnown = layout.composites.isEmpty && !layout.hasFetchedProperties
    shared = !isKnown ? 0 : toMany.count == 1 ? names.count : names.count - toMany.count
    self.bitOfSlot = bitOfSlot
    self.bitOfToMany = bitOfToMany
    tombstones = slots.filter { layout.slots[$0].isKeptOnDeletion }
  }

  /// The Z_OPT of changes that this framework wrote, whose order of bits is known. Apple's framework leaves it NULL.
  package static let ownVersion = 1

  /// Whether a slot's values may lie in files.
  package static func isLarge(_ slot: PropertySlot) -> Bool {
    slot.attribute?.allowsExternalStorage == true
  }

  private static func precedes(_ first: PropertySlot, _ second: PropertySlot) -> Bool {
    first.ownerName == second.ownerName
      ? precedes(first.name, second.name) : precedes(first.ownerName, second.ownerName)
  }

  private static func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
  }

  /// The slots whose kept values are in the first columns, and how to read them: from the result's column 7 on (see
  /// `HistorySelects.changes`).
  package func keptValues(columns: Int) -> (slots: [Int], shape: ValueShape) {
    let kept = tombstones.prefix(columns).enumerated().filter { !Self.isLarge(slots[$1]) }
    let sources = kept.map { ValueShape.Source(column: Int32(7 + $0), kind: slots[$1].kind) }
    return (kept.map(\.1), ValueShape(sources: sources))
  }

  /// The value of ZCOLUMNS: one bit a property, from the highest bit of the first byte.
  /// - Parameters:
  ///   - slots: the changed slots as bits, slot 0 the lowest of the first word.
  ///   - toMany: the numbers of the to-many relationships that changed.
  package func bitmap(slots: [UInt64], toMany: [Int]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (names.count + 7) / 8)
    for slot in bitOfSlot.indices where slot >> 6 < slots.count && slots[slot >> 6] >> UInt64(slot & 63) & 1 != 0 {
      bytes[bitOfSlot[slot] >> 3] |= 0x80 >> UInt8(bitOfSlot[slot] & 7)
    }
    for number in toMany { bytes[bitOfToMany[number] >> 3] |= 0x80 >> UInt8(bitOfToMany[number] & 7) }
    return bytes
  }

  /// Whether bits that Apple's framework wrote may belong to this version of the model: it does not convert them when
  /// it migrates a store.
  package func fits(_ bitmap: some Collection<UInt8>) -> Bool {
    guard bitmap.count == (names.count + 7) / 8, let last = bitmap.dropFirst(max(bitmap.count - 1, 0)).first else {
      return bitmap.isEmpty && names.isEmpty
    }
    return names.count & 7 == 0 || last << UInt8(names.count & 7) == 0
  }

  /// The properties whose bits are set, in the order of their bits, if that order is known. Bits beyond the model's
  /// properties are ignored.
  /// - Parameter isOwn: whether this framework wrote them.
  package func names(in bitmap: some Collection<UInt8>, isOwn: Bool) -> [String] {
    let known = isOwn ? names.count : fits(bitmap) ? shared : 0
    var found: [String] = []
    for (index, byte) in bitmap.enumerated() {
      for bit in 0..<8 where byte & 0x80 >> UInt8(bit) != 0 && index * 8 + bit < known {
        found.append(names[index * 8 + bit])
      }
    }
    return found
  }
}
