import Foundation
import StrataQuakes

/// A file that the Reference store is built from.
enum SourceFile {
  /// - Throws: `Failure` with status 6 if it cannot be read.
  static func data(of url: URL) throws(Failure) -> Data {
    do {
      return try Data(contentsOf: url)
    } catch {
      throw Failure(.badResponse, "cannot read \(url.path): \(Failure.systemError(of: error))", cause: error)
    }
  }
}
