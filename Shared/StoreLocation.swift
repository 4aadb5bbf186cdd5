import CoreData
import Foundation

/// Where the store of Quakes lies: a folder that all its processes share.
public struct StoreLocation: Equatable, Sendable {
  public static let groupIdentifier = "group.quakes"
  public static let storeName = "Quakes"

  public var folder: URL
  /// Named by an option or the environment, not the group folder.
  public var isChosen: Bool

  public init(folder: URL, isChosen: Bool) {
    self.folder = folder
    self.isChosen = isChosen
  }

  public var storeURL: URL { folder.appendingPathComponent(Self.storeName + ".sqlite") }

  public var hasStore: Bool { access(storeURL.path, F_OK) == 0 }

  /// The folder of an option (`--store`), else of `QUAKES_STORE`, else the group folder.
  ///
  /// Nothing is created but the group folder itself.
  public init(option: String? = nil, environment: (String) -> String? = Environment.variable) throws(Failure) {
    if let path = [option, environment("QUAKES_STORE")].compactMap({ $0 }).first(where: { !$0.isEmpty }) {
      self.init(folder: URL(fileURLWithPath: path, isDirectory: true), isChosen: true)
      return
    }
    guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: Self.groupIdentifier)
    else {
      throw Failure(
        .storeUnavailable,
        """
        cannot use the group folder "\(Self.groupIdentifier)": it cannot be made, or it is a link, belongs to somebody \
        else, or others may write in it; check HOME and XDG_DATA_HOME, or name a folder with --store or QUAKES_STORE
        """)
    }
    self.init(folder: folder, isChosen: false)
  }

  /// Makes the folder if it is not there, for its owner alone.
  public func createFolder() throws(Failure) {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(
        .storeUnavailable,
        "cannot make the folder \(folder.path) for the store: \(Failure.systemError()); check the rights of the folder above it",
        cause: error)
    }
  }
}
