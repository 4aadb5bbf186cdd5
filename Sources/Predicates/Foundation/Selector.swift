/// The name of a method, for API that takes a selector: `Selector("localizedStandardCompare:")`.
///
/// Swift on Linux has neither this type nor `#selector`, and nothing calls a method by its name.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let name: String

  /// Creates a selector with a name such as `"caseInsensitiveCompare:"`.
  public init(_ name: String) { self.name = name }

  /// Creates a selector with a name such as `"caseInsensitiveCompare:"`.
  public init(stringLiteral name: String) { self.init(name) }

  /// The name of the method.
  public var description: String { name }
}
