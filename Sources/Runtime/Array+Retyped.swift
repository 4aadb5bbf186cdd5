extension Array {
  /// Returns the same array under another element type. Every element must have that type.
  ///
  /// The memory layout of an array of references does not depend on the class, except for Objective-C classes, which
  /// Linux does not have. A cast would copy the array and check each object at 300 instructions, as much as the rest of
  /// a fetch costs per object.
  @inlinable package func retyped<Other>(as _: Other.Type) -> [Other] {
    assert(
      Other.self == Element.self || (Element.self is AnyClass && Other.self is AnyClass),
      "An array of \(Element.self) is not an array of \(Other.self).")
    assert(allSatisfy { $0 is Other }, "Not every \(Element.self) is a \(Other.self).")
    return unsafeBitCast(self, to: [Other].self)
  }
}
