import Foundation
import StrataQuakes

/// A program that is installed in the same folder as this one.
enum SiblingProgram {
  /// Its path, with symbolic links resolved.
  ///
  /// - Throws: `Failure` with status 78 if it is not there.
  static func path(_ name: String) throws(Failure) -> String {
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let path = own.deletingLastPathComponent().appendingPathComponent(name).path
    guard access(path, X_OK) == 0 else {
      throw Failure(
        .configuration, "cannot start \(path): \(Failure.systemError()); \(name) must be in the same folder as quakes")
    }
    return path
  }
}
