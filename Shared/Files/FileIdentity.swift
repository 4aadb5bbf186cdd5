import Foundation

/// Which file a path names. As long as a file is open, its number is not used again.
public struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t

  /// - Returns: nil if there is none.
  public init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    (device, number) = (status.st_dev, status.st_ino)
  }
}

/// Which store is at a location. A server's is the same one as long as it is reached.
public enum CatalogIdentity: Equatable, Sendable {
  case file(FileIdentity)
  case server
}

extension StoreLocation {
  /// nil if the store's file does not exist.
  public var identity: CatalogIdentity? {
    serverURL == nil ? FileIdentity(storeURL.filePath).map(CatalogIdentity.file) : .server
  }
}
