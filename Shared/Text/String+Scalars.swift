extension String {
  /// The text with each occurrence of a mark replaced, also if another scalar combines with it: Swift treats a bar with
  /// an accent as one character that differs from a bar, but programs that read the bytes see the bar.
  public func replacingScalars(_ mark: String, with other: String) -> String {
    String(unicodeScalars.replacing(mark.unicodeScalars, with: other.unicodeScalars))
  }
}
