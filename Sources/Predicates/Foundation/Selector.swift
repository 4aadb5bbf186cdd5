/// The name of a method, for the API of Apple's that takes one: `Selector("localizedStandardCompare:")`.
///
/// Swift on Linux has neither this type nor `#selector`; nothing here calls a method by its name.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let name: String

  /// The method with a name such as `"caseInsensitiveCompare:"`.
  public init(_ name: String) { self.name = name }

  /// The method with a name such as `"caseInsensitiveCompare:"`.
  public init(stringLiteral name: String) { self.init(name) }

  /// The name.
  public var description: String { name }
}
