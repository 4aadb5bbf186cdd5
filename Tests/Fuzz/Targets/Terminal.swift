import Foundation
import StrataQuakesScreen

@testable import StrataQuakesCommand

/// The input of a terminal, in parts of any size.
@Sendable func keys(_ bytes: [UInt8]) {
  var decoder = KeyDecoder()
  let whole = decoder.keys(bytes) + decoder.flush()
  var parts = KeyDecoder()
  let single = bytes.flatMap { parts.keys(CollectionOfOne($0)) } + parts.flush()
  promise("\(whole)" == "\(single)", "\(whole)\nbyte by byte:\n\(single)")
}

/// The responses of a terminal, after arbitrary input.
@Sendable func answers(_ bytes: [UInt8]) {
  var answers = TerminalResponses()
  for byte in bytes where answers.take(byte) { break }
  for size in [PixelSize(width: 1, height: 1), PixelSize(width: 4_000, height: 3_000)] {
    let limited = size.limited(to: answers.maximumSixelSize)
    promise(limited.width <= size.width && limited.height <= size.height, "\(size) is limited to \(limited)")
  }
}
