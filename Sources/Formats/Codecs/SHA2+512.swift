extension SHA2 {
  /// SHA-512's function of a block: FIPS 180-4, section 6.4.2.
  static func compress512(
    _ state: inout [UInt64], _ block: UnsafeRawPointer, _ schedule: UnsafeMutablePointer<UInt64>,
    _ constants: UnsafePointer<UInt64>
  ) {
    for index in 0..<16 {
      schedule[index] = UInt64(bigEndian: block.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
    }
    var round = 16
    while round < 80 {
      let (early, late) = (schedule[round - 15], schedule[round - 2])
      let small0 = (early &>> 1 | early &<< 63) ^ (early &>> 8 | early &<< 56) ^ (early &>> 7)
      let small1 = (late &>> 19 | late &<< 45) ^ (late &>> 61 | late &<< 3) ^ (late &>> 6)
      schedule[round] = schedule[round - 16] &+ schedule[round - 7] &+ small0 &+ small1
      round += 1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    round = 0
    while round < 80 {
      let choice = (e & f) ^ (~e & g)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let big1 = (e &>> 14 | e &<< 50) ^ (e &>> 18 | e &<< 46) ^ (e &>> 41 | e &<< 23)
      let big0 = (a &>> 28 | a &<< 36) ^ (a &>> 34 | a &<< 30) ^ (a &>> 39 | a &<< 25)
      let first = h &+ big1 &+ choice &+ constants[round] &+ schedule[round]
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ big0 &+ majority)
      round += 1
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] = state[index] &+ word }
  }
}
