extension String {
  /// The text with each occurrence of a mark replaced, also where another scalar combines with it: to Swift a bar with an
  /// accent is one character, which is no bar, but whoever reads the bytes sees the bar.
  public func replacingScalars(_ mark: String, with other: String) -> String {
    String(unicodeScalars.replacing(mark.unicodeScalars, with: other.unicodeScalars))
  }
}
