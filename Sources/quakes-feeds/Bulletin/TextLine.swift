import StrataQuakes

/// A line of a format with fixed columns.
struct TextLine: Equatable {
  let bytes: [UInt8]
  /// Where it begins in the body.
  let start: Int
  /// From 1 on.
  let number: Int
  /// Whether an end of line follows.
  let isEnded: Bool

  init(_ line: LineReader.Line) {
    bytes = Array(line.bytes.prefix(TableRow.maximumLineLength))
    (start, number, isEnded) = (line.start, line.number, line.isEnded)
  }

  /// A line alone.
  init(_ text: String) {
    (bytes, start, number, isEnded) = (Array(text.utf8), 0, 1, true)
  }

  /// The text of columns, the first of which is 1, without the blanks around it; empty behind the line's end.
  ///
  /// - Parameter keepsLeadingBlanks: whether blanks before the text stay.
  func text(_ columns: ClosedRange<Int>, keepsLeadingBlanks: Bool = false) -> String {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    var field = bytes.dropFirst(columns.lowerBound - 1).prefix(columns.count)
    while let last = field.last, isBlank(last) { field.removeLast() }
    if !keepsLeadingBlanks { field = field.drop(while: isBlank) }
    return String(decoding: field, as: UTF8.self)
  }

  func has(_ byte: Unicode.Scalar, in column: Int) -> Bool {
    column <= bytes.count && bytes[column - 1] == UInt8(ascii: byte)
  }

  /// Where a column begins in the body; the line's end if it is shorter.
  func position(_ column: Int) -> Int { start + min(column - 1, bytes.count) }
}

extension Sequence<TextLine> {
  /// The line and column of a byte in one of the lines, which are in order.
  func place(of position: Int) -> TextPlace? {
    reversed().first { $0.start <= position }.map { TextPlace(line: $0.number, column: position - $0.start + 1) }
  }
}

extension EventDraft {
  /// Reads a field in columns of a line; null if they are blank.
  mutating func take(_ field: QuakeField, in columns: ClosedRange<Int>, of line: TextLine) {
    take(field, text: line.text(columns), at: line.position(columns.lowerBound))
  }

  /// Reads `2013/03/01` and `03:29:46.8`, where a blank may be for a zero.
  mutating func takeTime(date: ClosedRange<Int>, time: ClosedRange<Int>, of line: TextLine) {
    func digits(_ columns: ClosedRange<Int>) -> String {
      let text = line.text(columns, keepsLeadingBlanks: true)
      return text.replacing(" ", with: "0")
    }
    let text = "\(digits(date).replacing("/", with: "-"))T\(digits(time))"
    take(.time, .text(text), at: line.position(date.lowerBound))
  }
}
