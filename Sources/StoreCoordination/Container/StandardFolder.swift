import Foundation

/// The user's folders for documents, application support and caches. On Apple's platforms they exist; in a container or on a
/// server they may not, and code written for Apple's framework opens stores in them.
package enum StandardFolder {
  /// Makes the folder of a file, accessible only to its user, if it is missing and one of the user's standard folders. If it
  /// cannot be made, the error of opening the file says so.
  /// - Parameter folders: the user's standard folders.
  package static func make(for file: URL, among folders: () -> [URL] = ofUser) {
    let folder = file.deletingLastPathComponent().standardizedFileURL
    guard access(folder.path, F_OK) != 0, folders().contains(where: { $0.standardizedFileURL.path == folder.path })
    else { return }
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  package static func ofUser() -> [URL] {
    let kinds: [FileManager.SearchPathDirectory] = [.documentDirectory, .applicationSupportDirectory, .cachesDirectory]
    return kinds.flatMap { FileManager.default.urls(for: $0, in: .userDomainMask) }
  }
}
