import StrataManagedModel

/// What the history says of an entity's properties.
package struct HistoryColumns: Sendable {
  /// Each property in the order of its bit: to-one relationships, attributes and to-many relationships, each by name;
  /// inherited and transient ones too. The elements of a composite attribute have its bit.
  package let names: [String]
  /// How many of these have the same bits where Apple's framework wrote them. Its order of several to-many relationships
  /// is not known, nor what it does where an entity has fetched properties or composite attributes.
  private let shared: Int
  /// The slots whose values are kept when a row is deleted, in the order of their columns. Large data that may lie in a
  /// file has its column, which stays empty: the file goes with the row.
  package let tombstones: [Int]
  private let slots: [PropertySlot]
  private let bitOfSlot: [Int]
  private let bitOfToMany: [Int]

  init(_ layout: EntityLayout) {
    self.slots = layout.slots
    let slots = layout.slots.indices.sorted { Self.precedes(layout.slots[$0], layout.slots[$1]) }
    let toMany = layout.toMany.indices.sorted { Self.precedes(layout.toMany[$0].name, layout.toMany[$1].name) }
    let ordered = slots.filter { layout.slots[$0].kind == .toOne } + slots.filter { layout.slots[$0].kind != .toOne }
    var names: [String] = []
    var bitOfSlot = [Int](repeating: 0, count: slots.count)
    for slot in ordered {
      // The elements of an attribute follow each other.
      let name = layout.slots[slot].owner.name
      if names.last != name { names.append(name) }
      bitOfSlot[slot] = names.count - 1
    }
    var bitOfToMany = [Int](repeating: 0, count: toMany.count)
    for number in toMany {
      bitOfToMany[number] = names.count
      names.append(layout.toMany[number].name)
    }
    self.names = names
    let isKnown =
      layout.composites.isEmpty && !layout.entity.properties.contains { $0 is NSFetchedPropertyDescription }
    shared = !isKnown ? 0 : toMany.count == 1 ? names.count : names.count - toMany.count
    self.bitOfSlot = bitOfSlot
    self.bitOfToMany = bitOfToMany
    tombstones = slots.filter { layout.slots[$0].isKeptOnDeletion }
  }

  /// Whether a slot's values may lie in files.
  package static func isLarge(_ slot: PropertySlot) -> Bool {
    (slot.property as? NSAttributeDescription)?.allowsExternalBinaryDataStorage == true
  }

  private static func precedes(_ first: PropertySlot, _ second: PropertySlot) -> Bool {
    first.owner === second.owner
      ? precedes(first.name, second.name) : precedes(first.owner.name, second.owner.name)
  }

  private static func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
  }

  /// The slots of the kept values that the first columns hold, and how these are read: they begin in the result's column 7
  /// (see `HistoryWriter.changes`).
  package func keptValues(columns: Int) -> (slots: [Int], shape: ValueShape) {
    let kept = tombstones.prefix(columns).enumerated().filter { !Self.isLarge(slots[$1]) }
    let sources = kept.map { ValueShape.Source(column: Int32(7 + $0), kind: slots[$1].kind) }
    return (kept.map(\.1), ValueShape(sources: sources))
  }

  /// The value of ZCOLUMNS: a bit a property, the first the highest of the first byte.
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

  /// Whether bits that Apple's framework wrote may be of this version of the model: it leaves them as they are when it
  /// migrates a store.
  package func fits(_ bitmap: some Collection<UInt8>) -> Bool {
    guard bitmap.count == (names.count + 7) / 8, let last = bitmap.dropFirst(max(bitmap.count - 1, 0)).first else {
      return bitmap.isEmpty && names.isEmpty
    }
    return names.count & 7 == 0 || last << UInt8(names.count & 7) == 0
  }

  /// The properties whose bits are set, in the order of their bits, as far as that order is known. Bits of properties
  /// that the model does not have any more are left out.
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
