import StrataQuakes

/// A member's name packed into two words, so that look-ups compare integers.
///
/// Almost no name that we look for has more than 16 bytes; longer names are packed into their hash.
struct JSONKey: Hashable, Sendable {
  static let maximumNameLength = 16

  private(set) var low: UInt64 = 0
  private(set) var high: UInt64 = 0

  init(_ name: some Collection<UInt8>) {
    guard name.count <= Self.maximumNameLength else {
      var hash = FNV1a()
      hash.add(name)
      (low, high) = (hash.value, .max)
      return
    }
    var shift: UInt64 = 0
    for byte in name {
      if shift < 64 { low |= UInt64(byte) << shift } else { high |= UInt64(byte) << (shift - 64) }
      shift += 8
    }
  }

  init(_ name: String) {
    self.init(Array(name.utf8))
  }
}

/// A hash table of keys: one multiplication and rarely more than one comparison per look-up.
struct JSONKeyTable<Meaning: Sendable>: Sendable {
  private static var slotCount: Int { 128 }

  private var keys: [JSONKey?]
  private var meanings: [Meaning?]

  /// - Precondition: fewer names than the table has slots (128).
  init(_ names: [(String, Meaning)]) {
    precondition(names.count < Self.slotCount, "a key table holds at most \(Self.slotCount - 1) names")
    keys = Array(repeating: nil, count: Self.slotCount)
    meanings = Array(repeating: nil, count: Self.slotCount)
    for (name, meaning) in names {
      let key = JSONKey(name)
      var slot = Self.slot(of: key)
      while keys[slot] != nil { slot = (slot + 1) % Self.slotCount }
      keys[slot] = key
      meanings[slot] = meaning
    }
  }

  subscript(_ key: JSONKey) -> Meaning? {
    var slot = Self.slot(of: key)
    while let known = keys[slot] {
      if known == key { return meanings[slot] }
      slot = (slot + 1) % Self.slotCount
    }
    return nil
  }

  private static func slot(of key: JSONKey) -> Int {
    // The odd number is 2^64 divided by the golden ratio: it spreads the first letters over the high bits.
    Int(((key.low ^ key.high) &* 0x9E37_79B9_7F4A_7C15) >> 57)
  }
}
