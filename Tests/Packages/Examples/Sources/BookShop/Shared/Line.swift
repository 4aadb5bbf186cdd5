/// A line of a report.
public enum Line {
  public static func about(_ entity: String, of model: String, as type: String) -> String {
    "\(model): \(entity) is \(type)"
  }
}
