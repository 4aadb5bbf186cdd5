/// The version of this package and its programs.
public enum PackageVersion {
  /// The version of the last tag, or of the next one if there are changes since: MAJOR.MINOR.PATCH, as in
  /// <https://semver.org>.
  public static let text = "0.1.0"
}
