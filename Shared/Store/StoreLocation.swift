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
  ///
  /// - Parameter isChecked: whether a folder that others may write is refused.
  /// - Throws: `Failure` with status 4.
  public init(
    option: String? = nil, isChecked: Bool = true, environment: (String) -> String? = Environment.variable
  ) throws(Failure) {
    if let path = [option, environment("QUAKES_STORE")].compactMap({ $0 }).first(where: { !$0.isEmpty }) {
      self.init(folder: URL(fileURLWithPath: path, isDirectory: true), isChosen: true)
      if isChecked { try checkFolder() }
      return
    }
    guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: Self.groupIdentifier)
    else {
      throw Failure(
        .storeUnavailable,
        """
        cannot use the group folder "\(Self.groupIdentifier)", for the reason above; check HOME and XDG_DATA_HOME, or \
        choose a folder with --store or QUAKES_STORE
        """)
    }
    self.init(folder: folder, isChosen: false)
  }

  /// Refuses what whoever can write there could turn against its readers: they would see what others wrote.
  private func checkFolder() throws(Failure) {
    var status = stat()
    guard stat(folder.path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw Failure(
        .storeUnavailable, "cannot use \(folder.path) as the store's folder: it is no folder; --store names a folder")
    }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      throw Failure(
        .storeUnavailable,
        """
        cannot use the folder \(folder.path): others can write it (\(String(status.st_mode & 0o7777, radix: 8))); run \
        "chmod go-w" on it if only you did so far, or choose another with --store or QUAKES_STORE
        """)
    }
  }

  /// Refuses to leave files in a folder whose owner could not use them.
  private func checkOwner() throws(Failure) {
    var status = stat()
    guard stat(folder.path, &status) == 0, status.st_uid != geteuid() else { return }
    throw Failure(
      .storeUnavailable,
      "cannot write in the folder \(folder.path): it belongs to user \(status.st_uid), not to you; run as that user")
  }

  /// Creates the folder if missing, accessible only to its owner.
  ///
  /// - Throws: `Failure` with status 4, also if the folder is another user's.
  public func createFolder() throws(Failure) {
    try PrivateFile.createFolder(folder, "for the store", help: "check the parent's permissions")
    try checkOwner()
  }

  /// Makes an empty file for a store that none but its owner can read; SQLite gives the files beside it the same rights.
  func createFile(_ url: URL) {
    // Whatever is wrong shows when the store is opened.
    if let descriptor = try? PrivateFile.open(url.path, O_WRONLY | O_CREAT | O_EXCL) { close(descriptor) }
  }
}
