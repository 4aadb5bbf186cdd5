import CoreData
import Foundation

/// The location of the Quakes store: a folder that all its processes share.
public struct StoreLocation: Equatable, Sendable {
  public static let groupIdentifier = "group.quakes"
  public static let storeName = "Quakes"

  public var folder: URL
  /// Whether an option or the environment chose the folder, instead of the group folder.
  public var isChosen: Bool

  public init(folder: URL, isChosen: Bool) {
    self.folder = folder
    self.isChosen = isChosen
  }

  public var storeURL: URL { folder.appendingPathComponent(Self.storeName + ".sqlite") }

  public var hasStore: Bool { access(storeURL.path, F_OK) == 0 }

  /// The folder given by the option (`--store`), else by `QUAKES_STORE`, else the group folder, which is created if
  /// missing.
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
        cannot use the group folder "\(Self.groupIdentifier)": it cannot be created, is a symbolic link, belongs to \
        another user, or is writable by others; check HOME and XDG_DATA_HOME, or choose a folder with --store or \
        QUAKES_STORE
        """)
    }
    self.init(folder: folder, isChosen: false)
  }

  /// Creates the folder if missing, accessible only to its owner.
  public func createFolder() throws(Failure) {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(
        .storeUnavailable,
        "cannot create the folder \(folder.path) for the store: \(Failure.systemError()); check the parent's permissions",
        cause: error)
    }
  }
}
