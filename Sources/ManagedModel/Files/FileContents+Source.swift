import Foundation
import StrataFormats
import StrataSupport

extension FileContents {
  /// Reads the file of a model or of a mapping.
  package static func ofSource(_ path: String) throws(FileFormatError) -> Data {
    do { return try read(path, limit: sourceLimit) } catch {
      throw FileFormatError(file: path, "the file cannot be read: \(error)")
    }
  }
}
