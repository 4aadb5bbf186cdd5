import Foundation
import StrataQuakes

/// Earthquakes as JSON on their way to standard output, one a line, with the fields of `quakes list --json` and with memory for
/// a part of them.
struct JSONLines {
  private static let partSize = 500

  private var completion: FactsCompletion
  private var part: [QuakeFacts] = []
  private(set) var count = 0
  private var isReaderGone = false

  init(_ completion: FactsCompletion) { self.completion = completion }

  /// - Returns: false if the reader is gone.
  mutating func write(_ quake: QuakeFacts) throws -> Bool {
    part.append(quake)
    count += 1
    if part.count == Self.partSize { try flush() }
    return !isReaderGone
  }

  mutating func end() throws {
    try flush()
    completion.reportFailure()
  }

  private mutating func flush() throws {
    let quakes = try completion.complete(part)
    part.removeAll(keepingCapacity: true)
    guard !quakes.isEmpty, !isReaderGone else { return }
    let lines = quakes.map { quake in
      var text = JSONText()
      text.quake(nil, quake)
      return text.text + "\n"
    }
    isReaderGone = try !Output.write(OutputText(lines: lines.joined()))
  }
}
