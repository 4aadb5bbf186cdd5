/// SHA-256 and SHA-512 (FIPS 180-4), for version hashes: a few hundred bytes when a model is first used.
/// Our own, because a cryptography package would dominate the build time of every client.
package enum SHA2 {
  /// The 32-byte SHA-256 digest.
  package static func hash256(_ message: [UInt8]) -> [UInt8] {
    digest(
      message, initial: initial256, constants: constants256,
      rotations: Rotations(bigA: (2, 13, 22), bigE: (6, 11, 25), small0: (7, 18, 3), small1: (17, 19, 10)))
  }

  /// The 64-byte SHA-512 digest.
  package static func hash512(_ message: [UInt8]) -> [UInt8] {
    digest(
      message, initial: initial512, constants: constants512,
      rotations: Rotations(bigA: (28, 34, 39), bigE: (14, 18, 41), small0: (1, 8, 7), small1: (19, 61, 6)))
  }

  /// Rotation distances; the last of each small sigma is a shift.
  private struct Rotations { var bigA, bigE, small0, small1: (Int, Int, Int) }

  /// Inlined, with everything it calls, so that the distances are constants: a third of the instructions.
  @inline(__always)
  private static func digest<Word: FixedWidthInteger & UnsignedInteger>(
    _ message: [UInt8], initial: [Word], constants: [Word], rotations: Rotations
  ) -> [UInt8] {
    let wordBytes = Word.bitWidth / 8
    var state = initial
    let padded = pad(message, blockBytes: wordBytes * 16, lengthBytes: wordBytes * 2)
    padded.withUnsafeBytes { padded in
      constants.withUnsafeBufferPointer { constants in
        withUnsafeTemporaryAllocation(of: Word.self, capacity: constants.count) { schedule in
          for start in stride(from: 0, to: padded.count, by: wordBytes * 16) {
            fill(schedule, from: padded, at: start, rotations: rotations)
            compress(&state, schedule: schedule, constants: constants, rotations: rotations)
          }
        }
      }
    }
    for index in state.indices { state[index] = state[index].bigEndian }
    return state.withUnsafeBytes { Array($0) }
  }

  /// The message schedule: one word per round.
  @inline(__always)
  private static func fill<Word: FixedWidthInteger & UnsignedInteger>(
    _ schedule: UnsafeMutableBufferPointer<Word>, from padded: UnsafeRawBufferPointer, at start: Int,
    rotations: Rotations
  ) {
    let wordBytes = Word.bitWidth / 8
    for index in 0..<16 {
      let word = padded.loadUnaligned(fromByteOffset: start + index * wordBytes, as: Word.self)
      schedule.initializeElement(at: index, to: Word(bigEndian: word))
    }
    for round in 16..<schedule.count {
      let word =
        schedule[round - 16] &+ schedule[round - 7] &+ small(schedule[round - 15], by: rotations.small0)
        &+ small(schedule[round - 2], by: rotations.small1)
      schedule.initializeElement(at: round, to: word)
    }
  }

  @inline(__always)
  private static func compress<Word: FixedWidthInteger & UnsignedInteger>(
    _ state: inout [Word], schedule: UnsafeMutableBufferPointer<Word>, constants: UnsafeBufferPointer<Word>,
    rotations: Rotations
  ) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for round in constants.indices {
      let choice = (e & f) ^ (~e & g)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let first = h &+ big(e, by: rotations.bigE) &+ choice &+ constants[round] &+ schedule[round]
      let second = big(a, by: rotations.bigA) &+ majority
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] = state[index] &+ word }
  }

  private static func pad(_ message: [UInt8], blockBytes: Int, lengthBytes: Int) -> [UInt8] {
    let blocks = (message.count + lengthBytes) / blockBytes + 1
    var padded = [UInt8](repeating: 0, count: blocks * blockBytes)
    padded.replaceSubrange(0..<message.count, with: message)
    padded[message.count] = 0x80
    for byte in 0..<8 { padded[padded.count - 1 - byte] = UInt8(truncatingIfNeeded: (message.count * 8) >> (byte * 8)) }
    return padded
  }

  @inline(__always)
  private static func rotate<Word: FixedWidthInteger & UnsignedInteger>(_ word: Word, by: Int) -> Word {
    word &>> Word(truncatingIfNeeded: by) | word &<< Word(truncatingIfNeeded: Word.bitWidth - by)
  }
  @inline(__always)
  private static func big<Word: FixedWidthInteger & UnsignedInteger>(_ word: Word, by: (Int, Int, Int)) -> Word {
    rotate(word, by: by.0) ^ rotate(word, by: by.1) ^ rotate(word, by: by.2)
  }
  @inline(__always)
  private static func small<Word: FixedWidthInteger & UnsignedInteger>(_ word: Word, by: (Int, Int, Int)) -> Word {
    rotate(word, by: by.0) ^ rotate(word, by: by.1) ^ (word &>> Word(truncatingIfNeeded: by.2))
  }
}
