import Foundation
import StrataSupport
import Synchronization

extension FileManager {
  /// Returns the folder that the programs of an app group share, creating it if necessary; nil if it cannot be used.
  ///
  /// Linux has no entitlements: programs of one user that name the same group share it. The folder is
  /// `$XDG_DATA_HOME/group-containers/<group identifier>` (`~/.local/share` if the variable is not set), accessible
  /// only to its user. `STRATA_GROUP_CONTAINERS` names another parent folder, for services and tests. If the result is
  /// nil, the reason is written to standard error once.
  ///
  /// See
  /// <https://developer.apple.com/documentation/foundation/filemanager/containerurl(forsecurityapplicationgroupidentifier:)>
  public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
    do {
      return try GroupContainer.folder(for: groupIdentifier)
    } catch {
      Diagnostics.warnOnce("containerURL(forSecurityApplicationGroupIdentifier:) returns nil: \(error)")
      return nil
    }
  }
}

/// The folders that the programs of an app group share.
package enum GroupContainer {
  /// The reason why a container cannot be used, and what helps.
  package struct Refusal: Error, CustomStringConvertible {
    package let message: String
    /// The `errno` where a system call failed.
    package var code: Int32?
    package var description: String { message }
  }

  /// Where all containers lie: `$STRATA_GROUP_CONTAINERS`, else `$XDG_DATA_HOME/group-containers`, else
  /// `~/.local/share/group-containers`. A relative `XDG_DATA_HOME` is ignored, as its specification demands
  /// (https://specifications.freedesktop.org/basedir-spec/latest/).
  /// - Throws: `Refusal` when `STRATA_GROUP_CONTAINERS` is relative, or no home folder is known.
  package static func base(
    environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }
  ) throws -> String {
    if let override = environment("STRATA_GROUP_CONTAINERS"), !override.isEmpty {
      guard override.hasPrefix("/") else {
        throw Refusal(
          message: "STRATA_GROUP_CONTAINERS is '\(override)', which depends on the current folder; "
            + "give the whole path, from '/'")
      }
      return override
    }
    guard let data = DataFolder.ofUser(environment: environment) else {
      throw Refusal(
        message: "no home folder is known for user \(geteuid()), so there is no place for group containers; "
          + "set HOME, XDG_DATA_HOME or STRATA_GROUP_CONTAINERS")
    }
    return data + "/group-containers"
  }

  /// The container of a group, created with mode 0700 if missing.
  /// - Throws: `Refusal` for an identifier that is not a file name, and for a folder that cannot be made, is a symbolic
  ///   link, belongs to another user, or is writable by others.
  package static func folder(for identifier: String) throws -> URL { try folder(for: identifier, in: base()) }

  package static func folder(for identifier: String, in base: String) throws -> URL {
    try checkIdentifier(identifier)
    let path = (base.hasSuffix("/") ? base : base + "/") + identifier
    try makeParents(of: path, for: identifier)
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw cannotMake(path, for: identifier, code: errno) }
    try checkFolder(path, of: identifier)
    return URL(fileURLWithPath: path, isDirectory: true)
  }

  private static func checkIdentifier(_ identifier: String) throws {
    let bytes = identifier.utf8
    guard bytes.isEmpty || identifier == "." || identifier == ".." || bytes.contains(where: { $0 == 0 || $0 == 0x2F })
    else {
      if bytes.count <= 255 { return }
      throw Refusal(message: "a group identifier of \(bytes.count) bytes is not a file name: the limit is 255")
    }
    throw Refusal(
      message:
        "'\(identifier.replacing("\0", with: "\\0"))' is not a group identifier: it names a folder, so it must not "
        + "be empty, '.' or '..' or contain '/' or NUL; take one like 'group.org.example.quakes'")
  }

  /// New parent folders are private to their user, as the base directory specification asks.
  private static func makeParents(of path: String, for identifier: String) throws {
    var index = path.index(after: path.startIndex)
    while let slash = path[index...].firstIndex(of: "/") {
      let parent = String(path[..<slash])
      // EEXIST is fine; whatever else is wrong with a parent, such as EROFS, shows at its first missing child.
      if mkdir(parent, 0o700) != 0, errno != EEXIST, access(parent, F_OK) != 0 {
        throw cannotMake(parent, for: identifier, code: errno)
      }
      index = path.index(after: slash)
    }
  }

  private static func checkFolder(_ path: String, of identifier: String) throws {
    func refused(_ why: String, help: String) -> Refusal {
      Refusal(message: "the container '\(path)' of group '\(identifier)' is refused: \(why); \(help)")
    }
    var folder = stat()
    guard lstat(path, &folder) == 0 else { throw cannotMake(path, for: identifier, code: errno) }
    let kind = folder.st_mode & S_IFMT
    if kind == S_IFLNK {
      throw refused(
        "it is a symbolic link, which may lead elsewhere tomorrow",
        help: "delete the link; to keep containers elsewhere, set STRATA_GROUP_CONTAINERS")
    }
    guard kind == S_IFDIR else { throw refused("it is not a folder", help: "move the file away") }
    guard folder.st_uid == geteuid() else {
      throw refused(
        "it belongs to user \(folder.st_uid), and this is user \(geteuid())",
        help: "run as that user, or set STRATA_GROUP_CONTAINERS to a folder of your own")
    }
    guard folder.st_mode & 0o022 == 0 else {
      throw refused("others may write it (\(String(folder.st_mode & 0o7777, radix: 8)))", help: "chmod 700 '\(path)'")
    }
  }

  private static func cannotMake(_ path: String, for identifier: String, code: Int32) -> Refusal {
    Refusal(
      message: "cannot make '\(path)' for group '\(identifier)': \(String(cString: strerror(code))) (errno \(code)); "
        + "make it by hand, or set STRATA_GROUP_CONTAINERS to a folder that you can write",
      code: code)
  }
}
