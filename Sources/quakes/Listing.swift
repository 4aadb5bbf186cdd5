import StrataQuakes
import Foundation

/// Writes a list of any length, as a table or as JSON, with memory for a part of it.
struct Listing {
  /// Rows written at once; a list that is no longer has its columns as narrow as its texts.
  private static let partSize = 500

  private let table: QuakeTable
  private let isJSON: Bool
  private(set) var count = 0
  private var part: [QuakeFacts] = []
  private var isReaderGone = false

  init(terminal: Terminal, isJSON: Bool, now: Date) {
    table = QuakeTable(terminal: terminal, now: now)
    self.isJSON = isJSON
  }

  /// - Returns: false if the reader is gone.
  mutating func write(_ quake: QuakeFacts) -> Bool {
    part.append(quake)
    count += 1
    if part.count == Self.partSize { writePart(isLast: false) }
    return !isReaderGone
  }

  mutating func write(_ quakes: [QuakeFacts]) {
    for quake in quakes where !write(quake) { return }
  }

  /// Writes what is left, and the end of the JSON document.
  mutating func end() {
    writePart(isLast: true)
  }

  private mutating func writePart(isLast: Bool) {
    let isFirst = count <= Self.partSize && count == part.count
    let text = isJSON ? json(isFirst: isFirst, isLast: isLast) : lines(isFirst: isFirst, isLast: isLast)
    if text != "", !isReaderGone { isReaderGone = !StandardStream.output.write(text) }
    part.removeAll(keepingCapacity: true)
  }

  private func lines(isFirst: Bool, isLast: Bool) -> OutputText {
    guard !part.isEmpty else { return "" }
    let lines = table.lines(part, hasHeading: isFirst, ageWidth: isFirst && isLast ? nil : QuakeTable.longestAge)
    return lines.joined(separator: "\n") + "\n"
  }

  private func json(isFirst: Bool, isLast: Bool) -> OutputText {
    let elements = part.map { quake in
      var text = JSONText()
      text.quake(nil, quake)
      return text.text
    }
    let comma = isFirst || part.isEmpty ? "" : ","
    return OutputText((isFirst ? #"{"format_version":1,"quakes":["# : comma) + elements.joined(separator: ","))
      + (isLast ? "]}\n" : "")
  }
}
