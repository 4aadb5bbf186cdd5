/// The two words of a string: the address of its bytes and their number, or a short string's bytes themselves. As long as
/// one of two strings exists, equal words mean equal text; different words may mean equal text too.
///
/// See https://github.com/swiftlang/swift/blob/main/stdlib/public/core/StringObject.swift. If a string has another size,
/// `unsafeBitCast` stops the program at the first statement.
@usableFromInline package struct StringWords: Equatable, Sendable {
  @usableFromInline let first: UInt64
  @usableFromInline let second: UInt64

  @inlinable
  package init(_ text: String) { (first, second) = unsafeBitCast(text, to: (UInt64, UInt64).self) }

  @inlinable
  package static func == (one: Self, other: Self) -> Bool { one.first == other.first && one.second == other.second }
}
