/// The name of a member, packed into two words so that a look-up compares integers.
///
/// A name of more than 16 bytes is none that we ask for; all such names are the same, unknown key.
struct JSONKey: Hashable, Sendable {
  static let longestName = 16

  private(set) var low: UInt64 = 0
  private(set) var high: UInt64 = 0

  init(_ name: some Collection<UInt8>) {
    guard name.count <= Self.longestName else {
      (low, high) = (.max, .max)
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

/// Finds what a key stands for, in one multiplication and hardly ever more than one comparison.
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
    // The odd number is 2^64 divided by the golden ratio: it spreads the first letters over the upper bits.
    Int(((key.low ^ key.high) &* 0x9E37_79B9_7F4A_7C15) >> 57)
  }
}
