/// Text for output: the program's own, which may move the cursor and have styles, and text from outside, which is made
/// printable.
///
/// Literals are the source's own and pass unchanged. Every other string, interpolated or converted, becomes printable: so
/// a place, an ID or a service's error message can neither drive a terminal nor forge a line of a log, wherever it is
/// printed. `StandardStream` writes nothing else.
public struct OutputText: Equatable, Sendable {
  fileprivate var plain: String
  /// The parts with styles, in order.
  private var spans: [Span] = []

  private struct Span: Equatable, Sendable {
    /// In the UTF-8 of the plain text.
    var bytes: Range<Int>
    var style: TextStyle
  }

  /// One line of text.
  public init(_ text: String, _ style: TextStyle = TextStyle()) {
    plain = Terminal.printable(text)
    if style != TextStyle(), !plain.isEmpty { spans = [Span(bytes: 0..<plain.utf8.count, style: style)] }
  }

  /// As it is written.
  public var text: String {
    guard !spans.isEmpty else { return plain }
    return runs.reduce(into: "") { text, run in
      let codes = run.style.codes.joined(separator: ";")
      text += codes.isEmpty ? String(run.text) : "\u{1B}[\(codes)m\(run.text)\u{1B}[0m"
    }
  }

  /// The text in parts of one style.
  public var runs: [(text: Substring, style: TextStyle)] {
    var (runs, end) = ([(text: Substring, style: TextStyle)](), plain.startIndex)
    for span in spans {
      let start = plain.utf8.index(plain.startIndex, offsetBy: span.bytes.lowerBound)
      if end < start { runs.append((plain[end..<start], TextStyle())) }
      end = plain.utf8.index(start, offsetBy: span.bytes.count)
      runs.append((plain[start..<end], span.style))
    }
    if end < plain.endIndex { runs.append((plain[end...], TextStyle())) }
    return runs
  }

  /// Text that keeps its line breaks and tabs, such as a help text.
  public init(lines text: String) {
    // Almost always; to split a long document into characters takes longer than to make it.
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 || $0 == 0x0A || $0 == 0x09 }) {
      plain = text
      return
    }
    plain = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map { Terminal.printable(String($0)) }
        .joined(separator: "\t")
    }.joined(separator: "\n")
  }

  public static func + (first: OutputText, second: OutputText) -> OutputText {
    var sum = first
    sum.append(second)
    return sum
  }

  fileprivate mutating func append(_ other: OutputText) {
    let start = plain.utf8.count
    plain += other.plain
    for span in other.spans {
      spans.append(Span(bytes: start + span.bytes.lowerBound..<start + span.bytes.upperBound, style: span.style))
    }
  }
}

extension OutputText: ExpressibleByStringInterpolation {
  public init(stringLiteral value: StaticString) { plain = value.description }

  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.text }

  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text: OutputText = ""

    public init(literalCapacity: Int, interpolationCount: Int) { text.plain.reserveCapacity(literalCapacity) }

    public mutating func appendLiteral(_ literal: StaticString) { text.plain += literal.description }

    public mutating func appendInterpolation(_ value: OutputText) { text.append(value) }

    public mutating func appendInterpolation(_ value: some Any) { text.plain += Terminal.printable("\(value)") }
  }
}

extension Sequence<OutputText> {
  public func joined(separator: OutputText) -> OutputText {
    reduce(into: (text: "" as OutputText, isFirst: true)) { result, part in
      if !result.isFirst { result.text.append(separator) }
      result.text.append(part)
      result.isFirst = false
    }.text
  }
}
