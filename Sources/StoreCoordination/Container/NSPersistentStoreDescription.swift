import Foundation

/// How a container opens a store. By default, a SQLite store in memory that can be written.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: url)
/// description.setOption(
///   true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// description.timeout = 10
/// container.persistentStoreDescriptions = [description]
/// ```
///
/// See <https://developer.apple.com/documentation/coredata/nspersistentstoredescription>
open class NSPersistentStoreDescription: NSObject, NSCopying {
  /// The type of the store: `NSSQLiteStoreType`, `NSInMemoryStoreType`, `NSXMLStoreType`, `NSBinaryStoreType` or a
  /// registered type. Default: SQLite.
  public var type: String = NSSQLiteStoreType

  /// The configuration whose entities the store holds; nil for all entities.
  ///
  /// With several stores, give each one a configuration. A new object goes to the first writable store that holds its
  /// entity.
  ///
  /// ```swift
  /// let catalog = NSPersistentStoreDescription(url: oldURL)
  /// catalog.configuration = "Catalog"
  /// catalog.isReadOnly = true
  /// let notes = NSPersistentStoreDescription(url: newURL)
  /// notes.configuration = "Notes"
  /// container.persistentStoreDescriptions = [catalog, notes]
  /// ```
  public var configuration: String?

  /// The URL of the store.
  ///
  /// `/dev/null`, the default of a description without a URL, is a SQLite store in memory that lasts as long as its
  /// coordinator. `/dev/null/<name>` is one that the coordinators of a process share by name.
  ///
  /// ```swift
  /// // Every coordinator with this description opens the same store in memory.
  /// let shared = URL(fileURLWithPath: "/dev/null/tests")
  /// container.persistentStoreDescriptions = [
  ///   NSPersistentStoreDescription(url: shared)
  /// ]
  /// ```
  public var url: URL?

  /// The options of the store, including those that have a property here.
  public var options: [String: NSObject] {
    var options = ownOptions
    if let ownPragmas { options[NSSQLitePragmasOption] = NSDictionary(dictionary: ownPragmas) }
    return options
  }
  /// Without the pragmas that were set one by one.
  private var ownOptions: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
  ]
  /// Nil if none were set one by one. Apart from the options, because Swift searches all conformances of the program to
  /// convert a dictionary to one of Foundation's, and again to convert it back.
  private var ownPragmas: [String: NSObject]?

  /// The options for a coordinator, with the pragmas as a dictionary of Swift's.
  var storeOptions: [AnyHashable: Any] {
    // A conversion as a whole searches all conformances too.
    var options: [AnyHashable: Any] = [:]
    for (key, value) in ownOptions { options[key] = value }
    if let ownPragmas { options[NSSQLitePragmasOption] = ownPragmas }
    return options
  }

  /// Whether the store is opened on another thread, after `loadPersistentStores` has returned. Default: false.
  ///
  /// Set it if the store may need a long migration. Until the block of `loadPersistentStores` is called, the contexts
  /// have no store.
  ///
  /// ```swift
  /// description.shouldAddStoreAsynchronously = true
  /// container.persistentStoreDescriptions = [description]
  /// try await withCheckedThrowingContinuation {
  ///   (continuation: CheckedContinuation<Void, any Error>) in
  ///   // Resumes once, because there is one description.
  ///   container.loadPersistentStores { _, error in
  ///     continuation.resume(with: error.map { .failure($0) } ?? .success(()))
  ///   }
  /// }
  /// ```
  public var shouldAddStoreAsynchronously: Bool = false

  /// Creates a description of a SQLite store at a URL.
  public init(url: URL) {
    self.url = url
    super.init()
  }

  /// Creates a description of a SQLite store in memory.
  public override init() {
    url = URL(fileURLWithPath: "/dev/null")
    super.init()
  }

  /// Sets an option; nil removes it. The store uses the options that the description has when it is opened.
  ///
  /// The keys are listed in <doc:StoreOptions>.
  ///
  /// ```swift
  /// description.setOption(  // An object: `true` alone is a Bool.
  ///   true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
  /// container.persistentStoreDescriptions = [description]
  /// ```
  public func setOption(_ option: NSObject?, forKey key: String) {
    ownOptions[key] = option
    if key == NSSQLitePragmasOption { ownPragmas = nil }
  }

  /// Sets a SQLite pragma; nil removes it.
  public func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    ownPragmas = pragmas
  }

  /// The SQLite pragmas by name.
  public var sqlitePragmas: [String: NSObject] {
    ownPragmas ?? ownOptions[NSSQLitePragmasOption] as? [String: NSObject] ?? [:]
  }

  /// Whether the store is opened read-only. Default: false.
  public var isReadOnly: Bool {
    get { flag(NSReadOnlyPersistentStoreOption) }
    set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
  }

  /// Whether a store of an older model version is migrated. Default: true.
  ///
  /// If it is false, opening such a store fails with code 134100.
  ///
  /// ```swift
  /// description.shouldMigrateStoreAutomatically = false
  /// container.persistentStoreDescriptions = [description]
  /// container.loadPersistentStores { description, error in
  ///   let code = (error as? CocoaError)?.code
  ///   if code == .persistentStoreIncompatibleVersionHash {
  ///     print("\(description.url!) was written by another version.")
  ///   }
  /// }
  /// ```
  public var shouldMigrateStoreAutomatically: Bool {
    get { flag(NSMigratePersistentStoresAutomaticallyOption) }
    set { setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption) }
  }

  /// Whether the migration can be inferred from the two models. Default: true.
  public var shouldInferMappingModelAutomatically: Bool {
    get { flag(NSInferMappingModelAutomaticallyOption) }
    set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
  }

  /// The time to wait for other writers, in seconds. Default: 240.
  public var timeout: TimeInterval {
    get { (ownOptions[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
  }

  private func flag(_ key: String) -> Bool { (ownOptions[key] as? NSNumber)?.boolValue ?? false }

  /// Returns a copy of the description.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreDescription()
    (copy.type, copy.configuration, copy.url) = (type, configuration, url)
    (copy.ownOptions, copy.ownPragmas) = (ownOptions, ownPragmas)
    copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
    return copy
  }
}
