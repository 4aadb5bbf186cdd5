import Foundation
import RowStore

/// Data that may lie in a file beside the store.
enum ExternalData {
  /// Lends the data that a column stands for. 1: the data follow. 2: the name of a file with the data follows, and a zero.
  /// - Parameter path: the store's file.
  static func read(
    _ bytes: UnsafeRawBufferPointer, of path: String, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws {
    guard bytes.first == 2 else { return body(UnsafeRawBufferPointer(rebasing: bytes.dropFirst())) }
    let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
    let url = URL(fileURLWithPath: path)
    let folder = ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA"
    let file = url.deletingLastPathComponent().appendingPathComponent(folder).appendingPathComponent(name)
    do {
      let data = try Data(contentsOf: file)
      data.withUnsafeBytes { body($0) }
    } catch {
      throw StoreError(
        .corrupt, "The file '\(file.path)' with data of the store '\(path)' cannot be read. Restore it from a copy.",
        cause: error)
    }
  }
}
