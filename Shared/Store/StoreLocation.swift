import CoreData
import Foundation

/// The location of the Quakes store: a folder that all its processes share.
public struct StoreLocation: Equatable, Sendable {
  public static let groupIdentifier = "group.quakes"
  public static let storeName = "Quakes"

  public var folder: URL
  /// Whether an option or the environment chose the folder, instead of the group folder.
  public var isChosen: Bool
  /// The Catalog on a PostgreSQL server, which several hosts share; nil for a file in the folder. What is this user's or
  /// this host's own is in the folder all the same.
  public var serverURL: URL?

  public init(folder: URL, isChosen: Bool, serverURL: URL? = nil) {
    self.folder = folder
    self.isChosen = isChosen
    self.serverURL = serverURL
  }

  public var storeURL: URL { serverURL ?? folder.file(named: Self.storeName + ".sqlite") }

  /// Whether the store exists, without asking a server.
  public var hasStore: Bool { identity != nil }

  /// Whether the user chose a folder without a store, which is probably mistyped. The default location
  /// is empty before the first fetch.
  public var isMistyped: Bool { isChosen && !hasStore && !hasPersonal }

  /// - Throws: `Failure` with status 9 for a folder that is probably mistyped, in which nothing is to be created.
  public func refuseMistyped() throws(Failure) {
    if isMistyped { throw Failure.noStore(self) }
  }

  /// The value of `--store` or QUAKES_STORE that leads here; nil for the default location.
  public var option: String? {
    serverURL?.absoluteString ?? (isChosen ? folder.standardizedFileURL.path : nil)
  }

  /// The store as shown to people: without a password.
  public var shownStore: String {
    guard let serverURL, var parts = URLComponents(url: serverURL, resolvingAgainstBaseURL: false) else {
      return storeURL.path
    }
    parts.password = nil
    parts.queryItems = parts.queryItems?.filter { !["password", "sslpassword"].contains($0.name) }
    return parts.string ?? "the server"
  }

  /// The folder or server given by the option (`--store`), else by `QUAKES_STORE`, else the group folder, which is created
  /// if missing.
  ///
  /// - Parameter isChecked: whether a folder that others may write is refused.
  /// - Throws: `Failure` with status 4.
  public init(
    option: String? = nil, isChecked: Bool = true, environment: (String) -> String? = Environment.variable
  ) throws(Failure) {
    let value = [option, environment("QUAKES_STORE")].compactMap { $0 }.first { !$0.isEmpty }
    if let value, Self.namesServer(value) {
      self.init(folder: try Self.groupFolder, isChosen: false, serverURL: try Self.serverURL(value))
      return
    }
    if let path = value {
      self.init(folder: URL(fileURLWithPath: path, isDirectory: true), isChosen: true)
      if isChecked { try checkFolder() }
      return
    }
    self.init(folder: try Self.groupFolder, isChosen: false)
  }

  private static var groupFolder: URL {
    get throws(Failure) {
      if let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: groupIdentifier) {
        return folder
      }
      throw Failure(
        .storeUnavailable,
        """
        cannot use the group folder "\(groupIdentifier)", for the reason given above; check HOME and XDG_DATA_HOME, or choose \
        a folder with --store or QUAKES_STORE
        """)
    }
  }

  /// Whether a value of `--store` or QUAKES_STORE is the URL of a server.
  public static func namesServer(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// Rejects a folder that other users can write: they could replace what readers see.
  private func checkFolder() throws(Failure) {
    var status = stat()
    guard stat(folder.filePath, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw Failure(
        .storeUnavailable, "cannot use \(folder.path) as the store's folder: it is not a folder; --store takes a folder"
      )
    }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      throw Failure(
        .storeUnavailable,
        """
        cannot use the folder \(folder.path): other users can write to it (\(String(status.st_mode & 0o7777, radix: 8))); run \
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

  /// Creates an empty store file that only its owner can read; SQLite gives its journal files the same permissions.
  func createFile(_ url: URL) {
    // Whatever is wrong shows when the store is opened.
    if let descriptor = try? PrivateFile.open(url.path, O_WRONLY | O_CREAT | O_EXCL) { close(descriptor) }
  }
}
