/// A word, a literal or a single character of a Swift source. Operators are split into characters.
package struct Token {
  package enum Kind: Equatable {
    /// An identifier or keyword.
    case word
    /// An identifier in backticks; its bytes are those between them.
    case escapedWord
    /// One character that is neither space nor part of a word.
    case punctuator(UInt8)
    /// A string, a regular expression or a number.
    case literal
    /// `#if`, `#elseif`, `#else` or `#endif`, with the condition up to the end of the line.
    case directive
    case end
  }

  package var kind: Kind
  /// The token's range in its source.
  package var bytes: Range<Int>
  /// From 1.
  package var line: Int

  package func isPunctuator(_ character: Unicode.Scalar) -> Bool { kind == .punctuator(UInt8(ascii: character)) }
}
