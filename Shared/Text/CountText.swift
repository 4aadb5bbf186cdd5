/// Formats numbers of things.
public enum CountText {
  /// `1 earthquake`, `2 earthquakes`.
  ///
  /// - Parameter noun: in the singular; its plural ends with an s.
  public static func of(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
