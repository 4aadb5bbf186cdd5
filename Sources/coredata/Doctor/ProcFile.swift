import Foundation

/// Files of proc(5), whose size is not known: `String(contentsOfFile:)` stops after their first page.
enum ProcFile {
  /// nil if the file cannot be read.
  static func text(_ path: String) -> String? {
    let bytes = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).readToEnd()
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }
}
