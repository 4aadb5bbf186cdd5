/// SHA-256 and SHA-512 (FIPS 180-4), for version hashes: a few hundred bytes when a model is first used.
/// Our own, because a cryptography package would dominate the build time of every client.
package enum SHA2 {
  /// The 32-byte SHA-256 digest.
  package static func hash256(_ message: [UInt8]) -> [UInt8] {
    digest(message, initial: initial256, constants: constants256, lengthBytes: 8, block: compress256)
  }

  /// The 64-byte SHA-512 digest.
  package static func hash512(_ message: [UInt8]) -> [UInt8] {
    digest(message, initial: initial512, constants: constants512, lengthBytes: 16, block: compress512)
  }

  /// - Parameter block: changes the state by a block of sixteen words, with a schedule of as many words as constants. It
  ///   is written for each kind of word: generic arithmetic takes thirteen times as long in a debug build.
  private static func digest<Word: FixedWidthInteger>(
    _ message: [UInt8], initial: [Word], constants: [Word], lengthBytes: Int,
    block: (
      _ state: inout [Word], _ block: UnsafeRawPointer, _ schedule: UnsafeMutablePointer<Word>,
      _ constants: UnsafePointer<Word>
    ) -> Void
  ) -> [UInt8] {
    let blockBytes = lengthBytes * 8
    var state = initial
    let padded = pad(message, blockBytes: blockBytes, lengthBytes: lengthBytes)
    padded.withUnsafeBytes { padded in
      constants.withUnsafeBufferPointer { constants in
        withUnsafeTemporaryAllocation(of: Word.self, capacity: constants.count) { schedule in
          for start in stride(from: 0, to: padded.count, by: blockBytes) {
            // None of the three is empty: the padding alone fills a block.
            block(&state, padded.baseAddress! + start, schedule.baseAddress!, constants.baseAddress!)
          }
        }
      }
    }
    for index in state.indices { state[index] = state[index].bigEndian }
    return state.withUnsafeBytes { Array($0) }
  }

  private static func pad(_ message: [UInt8], blockBytes: Int, lengthBytes: Int) -> [UInt8] {
    let blocks = (message.count + lengthBytes) / blockBytes + 1
    var padded = [UInt8](repeating: 0, count: blocks * blockBytes)
    padded.replaceSubrange(0..<message.count, with: message)
    padded[message.count] = 0x80
    for byte in 0..<8 { padded[padded.count - 1 - byte] = UInt8(truncatingIfNeeded: (message.count * 8) >> (byte * 8)) }
    return padded
  }
}

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

extension SHA2 {
  /// SHA-256's function of a block: FIPS 180-4, section 6.2.2.
  static func compress256(
    _ state: inout [UInt32], _ block: UnsafeRawPointer, _ schedule: UnsafeMutablePointer<UInt32>,
    _ constants: UnsafePointer<UInt32>
  ) {
    for index in 0..<16 {
      schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
    }
    var round = 16
    while round < 64 {
      let (early, late) = (schedule[round - 15], schedule[round - 2])
      let small0 = (early &>> 7 | early &<< 25) ^ (early &>> 18 | early &<< 14) ^ (early &>> 3)
      let small1 = (late &>> 17 | late &<< 15) ^ (late &>> 19 | late &<< 13) ^ (late &>> 10)
      schedule[round] = schedule[round - 16] &+ schedule[round - 7] &+ small0 &+ small1
      round += 1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    round = 0
    while round < 64 {
      let choice = (e & f) ^ (~e & g)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let big1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
      let big0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
      let first = h &+ big1 &+ choice &+ constants[round] &+ schedule[round]
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ big0 &+ majority)
      round += 1
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] = state[index] &+ word }
  }
}
