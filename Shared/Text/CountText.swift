/// Formats numbers of things.
public enum CountText {
  /// `1 earthquake`, `2 earthquakes`.
  ///
  /// - Parameter noun: in the singular; its plural ends with an s.
  public static func of(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// `1,234`.
  public static func grouped(_ count: Int) -> String {
    let digits = Array(String(count.magnitude))
    let groups = digits.indices.map { index in
      (index > 0 && (digits.count - index) % 3 == 0 ? "," : "") + String(digits[index])
    }
    return (count < 0 ? "-" : "") + groups.joined()
  }
}
