/// Text for output: the program's own, which may move the cursor and set colors, and text from outside, which is made
/// printable.
///
/// Literals are the source's own and pass unchanged. Every other string, interpolated or converted, becomes printable: so
/// a place, an ID or a service's error message can neither drive a terminal nor forge a line of a log, wherever it is
/// printed. `StandardStream` writes nothing else.
public struct OutputText: Equatable, Sendable {
  /// As it is written.
  public fileprivate(set) var text: String

  /// One line of text.
  public init(_ text: String) { self.text = Terminal.printable(text) }

  /// Text that keeps its line breaks and tabs, such as a help text.
  public init(lines text: String) {
    // Almost always; to split a long document into characters takes longer than to make it.
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 || $0 == 0x0A || $0 == 0x09 }) {
      self.text = text
      return
    }
    self.text = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map { Terminal.printable(String($0)) }
        .joined(separator: "\t")
    }.joined(separator: "\n")
  }

  public static func + (first: OutputText, second: OutputText) -> OutputText {
    var sum = first
    sum.text += second.text
    return sum
  }
}

extension OutputText: ExpressibleByStringInterpolation {
  public init(stringLiteral value: StaticString) { text = value.description }

  public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    public mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

    public mutating func appendInterpolation(_ value: OutputText) { text += value.text }

    public mutating func appendInterpolation(_ value: some Any) { text += Terminal.printable("\(value)") }
  }
}

extension Sequence<OutputText> {
  public func joined(separator: OutputText) -> OutputText {
    var result: OutputText = ""
    result.text = map(\.text).joined(separator: separator.text)
    return result
  }
}
