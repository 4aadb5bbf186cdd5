/// The version that the programs of Quakes tell of themselves.
public enum QuakesVersion {
  public static let text = "0.1.0"
}
