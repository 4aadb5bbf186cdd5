/// The version of the Quakes programs.
public enum QuakesVersion {
  public static let text = "0.1.0"
}
