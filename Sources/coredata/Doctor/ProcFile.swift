import Foundation

/// Files of proc(5), whose size says nothing: Foundation stops after their first page.
enum ProcFile {
  /// nil if the file cannot be read.
  static func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var page = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &page, page.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
      bytes += page[..<count]
    }
  }
}
