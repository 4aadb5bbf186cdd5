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
