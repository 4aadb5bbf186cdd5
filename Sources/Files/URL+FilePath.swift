import Foundation

extension URL {
  /// `standardizedFileURL.path`, without Foundation's work for what most paths do not have: it decodes percent signs with
  /// a set, for which Swift searches all conformances of the program when a path is first asked for.
  package var standardizedPath: String { plainPath ?? standardizedFileURL.path }

  /// The path if the URL spells it as the system does: absolute, with nothing encoded, and with no part that leads
  /// elsewhere.
  private var plainPath: String? {
    let (text, scheme) = (absoluteString.utf8, "file://".utf8)
    guard text.starts(with: scheme) else { return nil }
    var path = text.dropFirst(scheme.count)
    guard path.first == UInt8(ascii: "/") else { return nil }
    var previous: UInt8?
    for byte in path {
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: ";"), 0x80...: return nil
      case UInt8(ascii: "/") where previous == byte, UInt8(ascii: ".") where previous == UInt8(ascii: "/"): return nil
      default: previous = byte
      }
    }
    if path.count > 1, previous == UInt8(ascii: "/") { path.removeLast() }
    return String(decoding: path, as: UTF8.self)
  }
}
