import CoreData
import Foundation

/// Where a container keeps its models.
///
/// ```swift
/// let configuration = ModelConfiguration(
///   "catalog", groupContainer: .identifier("group.org.example.books"))
/// let container = try ModelContainer(
///   for: Book.self, configurations: configuration)
/// ```
///
/// See <https://developer.apple.com/documentation/swiftdata/modelconfiguration>
public struct ModelConfiguration: Hashable, Identifiable, Sendable, CustomDebugStringConvertible {
  /// The folder of a configuration's file.
  public struct GroupContainer: Hashable, Sendable {
    fileprivate let identifier: String?

    /// The program's own folder: programs on Linux have no entitlements.
    public static var automatic: Self { Self(identifier: nil) }
    /// The program's own folder.
    public static var none: Self { Self(identifier: nil) }
    /// The folder that all programs of the user have in common which name this group.
    public static func identifier(_ groupName: String) -> Self { Self(identifier: groupName) }
  }

  /// The CloudKit database of a configuration. Linux has no CloudKit.
  public struct CloudKitDatabase: Hashable, Sendable {
    /// No database.
    public static var automatic: Self { Self() }
    /// No database.
    public static var none: Self { Self() }
    /// Not available: Linux has no CloudKit.
    @available(*, unavailable, message: "Linux has no CloudKit.")
    public static func `private`(_ privateDBName: String) -> Self { Self() }
  }

  /// The name of the configuration and of its file.
  public let name: String
  /// The models of the configuration; nil for all models of the container.
  public var schema: Schema?
  /// The file.
  public let url: URL
  /// Whether models can be saved.
  public let allowsSave: Bool
  /// Whether the models exist in memory only.
  public let isStoredInMemoryOnly: Bool
  /// The folder of the file.
  public let groupContainer: GroupContainer
  /// The name of the group whose folder has the file; nil for the program's own folder.
  public var groupAppContainerIdentifier: String? { groupContainer.identifier }
  /// The CloudKit database: none.
  public let cloudKitDatabase: CloudKitDatabase
  /// The name of the CloudKit container: nil.
  public var cloudKitContainerIdentifier: String? { nil }

  /// The file.
  public var id: URL { url }

  /// Makes a configuration for the file `default.store` in the program's folder.
  public init(isStoredInMemoryOnly: Bool = false) { self.init(nil, isStoredInMemoryOnly: isStoredInMemoryOnly) }

  /// Makes a configuration of some models for the file `default.store` in the program's folder.
  public init(for forTypes: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: Schema(forTypes), isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// Makes a configuration for a file with the configuration's name.
  ///
  /// - Parameters:
  ///   - name: the name; nil for `default`.
  ///   - schema: the models; nil for all of the container.
  ///   - isStoredInMemoryOnly: whether the models exist in memory only.
  ///   - allowsSave: whether models can be saved.
  ///   - groupContainer: the folder.
  ///   - cloudKitDatabase: none.
  public init(
    _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true,
    groupContainer: GroupContainer = .automatic, cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    let ownName = name ?? "default"
    let group = groupContainer.identifier.flatMap {
      FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0)
    }
    url =
      isStoredInMemoryOnly
      ? URL(fileURLWithPath: "/dev/null")
      : (group ?? NSPersistentContainer.defaultDirectoryURL()).appendingPathComponent(ownName + ".store")
    (self.name, self.schema, self.allowsSave) = (ownName, schema, allowsSave)
    (self.isStoredInMemoryOnly, self.groupContainer) = (isStoredInMemoryOnly, groupContainer)
    self.cloudKitDatabase = cloudKitDatabase
  }

  /// Makes a configuration for a file.
  ///
  /// - Parameters:
  ///   - name: the name; nil for that of the file.
  ///   - schema: the models; nil for all of the container.
  ///   - url: the file.
  ///   - allowsSave: whether models can be saved.
  ///   - cloudKitDatabase: none.
  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    (self.name, self.schema) = (name ?? url.deletingPathExtension().lastPathComponent, schema)
    (self.url, self.allowsSave, isStoredInMemoryOnly) = (url, allowsSave, false)
    (groupContainer, self.cloudKitDatabase) = (.none, cloudKitDatabase)
  }

  /// The name and the file.
  public var debugDescription: String {
    "ModelConfiguration(\(name), \(isStoredInMemoryOnly ? "in memory" : url.path))"
  }
}
