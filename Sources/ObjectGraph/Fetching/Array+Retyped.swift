extension Array {
  /// The same array under another type, which the caller knows that every element has.
  ///
  /// A buffer of references is the same bytes whatever class it is declared to hold, as long as that is no class of
  /// Objective-C, which Linux does not have. A cast would make another array, and look at each object for 300
  /// instructions: as much as all else that a fetch does for it.
  package func retyped<Other>(as _: Other.Type) -> [Other] {
    assert(
      Other.self == Element.self || (Element.self is AnyClass && Other.self is AnyClass),
      "An array of \(Element.self) is no array of \(Other.self).")
    assert(allSatisfy { $0 is Other }, "Not every \(Element.self) is a \(Other.self).")
    return unsafeBitCast(self, to: [Other].self)
  }
}
