import Foundation
import StrataQuakes

/// Writes a list of any length, as a table, JSON or lines of text, with memory for a part of it.
struct Listing {
  /// The number of rows per write; the columns of a list up to this length are as narrow as its texts.
  private static let partSize = 500

  private let options: ListingOptions
  private let table: QuakeTable
  /// That of the first part.
  private var layout: QuakeTable.Layout?
  /// Gives earthquakes their marks.
  private let mark: ([QuakeFacts]) throws -> [QuakeFacts]
  private(set) var count = 0
  private var part: [QuakeFacts] = []
  private var isReaderGone = false

  init(_ options: ListingOptions, table: QuakeTable, mark: @escaping ([QuakeFacts]) throws -> [QuakeFacts]) {
    (self.options, self.table, self.mark) = (options, table, mark)
  }

  /// - Returns: false if the reader is gone.
  /// - Throws: `Failure` if the list cannot be written; what `mark` throws.
  mutating func write(_ quake: QuakeFacts) throws -> Bool {
    part.append(quake)
    count += 1
    if part.count == Self.partSize { try writePart(isLast: false) }
    return !isReaderGone
  }

  /// Writes what is left, and the end of the JSON document.
  mutating func end() throws {
    try writePart(isLast: true)
  }

  private mutating func writePart(isLast: Bool) throws {
    let isFirst = count <= Self.partSize && count == part.count
    part = try mark(part)
    let text = text(isFirst: isFirst, isLast: isLast)
    part.removeAll(keepingCapacity: true)
    if !isReaderGone { isReaderGone = try !Output.write(text) }
  }

  private mutating func text(isFirst: Bool, isLast: Bool) -> OutputText {
    if let template = options.template { return part.map { template.line($0) + "\n" }.joined(separator: "") }
    if options.ndjson { return part.map { OutputText(json($0)) + "\n" }.joined(separator: "") }
    return options.hasFields ? document(isFirst: isFirst, isLast: isLast) : lines(isFirst: isFirst, isLast: isLast)
  }

  private mutating func lines(isFirst: Bool, isLast: Bool) -> OutputText {
    guard !part.isEmpty else { return "" }
    let layout = layout ?? table.layout(of: part, isPart: !isLast)
    self.layout = layout
    return table.lines(part, hasHeading: isFirst, in: layout).joined(separator: "\n") + "\n"
  }

  private func document(isFirst: Bool, isLast: Bool) -> OutputText {
    let comma = isFirst || part.isEmpty ? "" : ","
    return OutputText((isFirst ? #"{"format_version":1,"quakes":["# : comma) + part.map(json).joined(separator: ","))
      + (isLast ? "]}\n" : "")
  }

  private func json(_ quake: QuakeFacts) -> String {
    var text = JSONText()
    text.quake(nil, quake, fields: options.fields)
    return text.text
  }
}
