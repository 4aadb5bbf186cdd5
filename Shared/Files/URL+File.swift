import Foundation

extension URL {
  /// A file in a folder. `appendingPathComponent` does the same, but asks the system what there is, and takes longer than
  /// opening the file.
  public func file(named name: String) -> URL { URL(fileURLWithPath: "\(path)/\(name)", isDirectory: false) }
}
