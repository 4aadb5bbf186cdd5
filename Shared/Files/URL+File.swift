import Foundation

extension URL {
  /// A file in a folder. `appendingPathComponent` does the same, but asks the system what there is, and takes longer than
  /// opening the file.
  public func file(named name: String) -> URL { URL(fileURLWithPath: "\(filePath)/\(name)", isDirectory: false) }

  /// The path of a file. `path` is the same, but decodes what most paths do not have, for which Swift searches all
  /// conformances of the program.
  public var filePath: String {
    let (text, scheme) = (absoluteString.utf8, "file://".utf8)
    var plain = text.dropFirst(scheme.count)
    let isPlain = text.starts(with: scheme) && plain.first == UInt8(ascii: "/")
    guard isPlain, !plain.contains(where: "%?#".utf8.contains) else { return path }
    if plain.count > 1, plain.last == UInt8(ascii: "/") { plain.removeLast() }
    return plain.count > 1 && plain.last == UInt8(ascii: "/") ? path : String(decoding: plain, as: UTF8.self)
  }
}
