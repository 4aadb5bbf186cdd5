/// The version of this package and its programs.
public enum PackageVersion {
  /// The newest release in `.github/CHANGELOG.md`, as MAJOR.MINOR.PATCH (<https://semver.org>). Sources between two releases
  /// have the version of the earlier one.
  public static let text = "0.3.0"
}
