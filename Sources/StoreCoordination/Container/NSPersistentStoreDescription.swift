import Foundation

/// How a container opens a store. A new description is for a SQLite store in memory that can be written.
/// See https://developer.apple.com/documentation/coredata/nspersistentstoredescription
open class NSPersistentStoreDescription: NSObject, NSCopying {
  /// `NSSQLiteStoreType` or `NSInMemoryStoreType`.
  public var type: String = NSSQLiteStoreType

  /// The configuration whose entities the store holds; nil is every entity.
  public var configuration: String?

  /// Where the store is. `/dev/null`, which a description has that was made without a URL, is a SQLite store in memory
  /// that goes with its coordinator; `/dev/null/<name>` is one that all coordinators of the process find by its name.
  public var url: URL?

  /// The options of the store, those that have a property of their own included.
  public private(set) var options: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
  ]

  /// Whether the store is opened on another thread, and `loadPersistentStores` returns before. Default: false.
  public var shouldAddStoreAsynchronously: Bool = false

  /// A description of a SQLite store at a URL.
  public init(url: URL) {
    self.url = url
    super.init()
  }

  /// A description of a SQLite store in memory.
  public override init() {
    url = URL(fileURLWithPath: "/dev/null")
    super.init()
  }

  /// Sets an option; nil removes it.
  public func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

  /// Sets a pragma of SQLite; nil removes it.
  public func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    options[NSSQLitePragmasOption] = NSDictionary(dictionary: pragmas)
  }

  /// The pragmas of SQLite by name.
  public var sqlitePragmas: [String: NSObject] { options[NSSQLitePragmasOption] as? [String: NSObject] ?? [:] }

  /// Whether the store is opened for reading only. Default: false.
  public var isReadOnly: Bool {
    get { flag(NSReadOnlyPersistentStoreOption) }
    set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
  }

  /// Whether a store of an older model is brought to the new one. Default: true.
  public var shouldMigrateStoreAutomatically: Bool {
    get { flag(NSMigratePersistentStoresAutomaticallyOption) }
    set { setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption) }
  }

  /// Whether the way there is found by comparing the two models. Default: true.
  public var shouldInferMappingModelAutomatically: Bool {
    get { flag(NSInferMappingModelAutomaticallyOption) }
    set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
  }

  /// Seconds to wait for other writers. Default: 240.
  public var timeout: TimeInterval {
    get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
  }

  private func flag(_ key: String) -> Bool { (options[key] as? NSNumber)?.boolValue ?? false }

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreDescription()
    (copy.type, copy.configuration, copy.url, copy.options) = (type, configuration, url, options)
    copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
    return copy
  }
}
