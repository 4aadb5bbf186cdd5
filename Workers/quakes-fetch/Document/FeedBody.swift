import Foundation

/// The bytes of one body, read once from front to back: from memory, or from a file of any size.
final class FeedBody {
  private enum Source {
    case memory(Data, position: Int)
    case file(FileHandle)
  }

  private var source: Source

  init(_ data: Data) {
    source = .memory(data, position: 0)
  }

  /// Reads from the handle's current position.
  init(_ handle: FileHandle) {
    source = .file(handle)
  }

  /// Reads up to `count` bytes; none at the end.
  ///
  /// - Throws: what the file's read throws.
  func read(upTo count: Int) throws -> Data {
    switch source {
    case .memory(let data, let position):
      let part = data.dropFirst(position).prefix(count)
      source = .memory(data, position: position + part.count)
      return part
    case .file(let handle): return try handle.read(upToCount: count) ?? Data()
    }
  }
}
