import Foundation
import StrataObjectGraph
import Synchronization

/// Classes that programs have registered, by type of store.
enum StoreClasses {
  private static let classes = Mutex<[String: NSPersistentStore.Type]>([:])

  static func named(_ type: String) -> NSPersistentStore.Type? { classes.withLock { $0[type] } }

  /// The alphabetically first type that a class is registered for.
  static func type(of storeClass: NSPersistentStore.Type) -> String? {
    classes.withLock { all in all.filter { $0.value == storeClass }.keys.min() }
  }

  static var all: [String: NSPersistentStore.Type] { classes.withLock { $0 } }

  static func set(_ storeClass: NSPersistentStore.Type?, for type: String) {
    classes.withLock { $0[type] = storeClass }
  }
}

/// Creates stores of a class known only at run time.
public protocol _StoreMadeFromSeed { init(_seed seed: _StoreSeed) }

extension _StoreMadeFromSeed where Self: NSPersistentStore {
  // For the compiler's message, as of a managed object.
  /// Not available: a store has a coordinator and a URL.
  @available(
    *, unavailable,
    message:
      "A coordinator creates stores: use addPersistentStore(ofType:configurationName:at:options:), or init(persistentStoreCoordinator:configurationName:at:options:)."
  )
  @_documentation(visibility: internal)
  public init() { fatalError("A coordinator creates stores.") }
}

/// The input of a store class's initializer, from a coordinator. Only for this framework.
public struct _StoreSeed {
  let coordinator: NSPersistentStoreCoordinator
  let configuration: String?
  let url: URL
  let options: [AnyHashable: Any]?
}

extension NSPersistentStoreCoordinator {
  /// Registers a subclass of ``NSAtomicStore`` or ``NSIncrementalStore`` for a store type; nil removes the
  /// registration.
  ///
  /// The built-in SQLite and in-memory types cannot be replaced. Stores that are open are not affected.
  public class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
    guard storeType != NSSQLiteStoreType, storeType != NSInMemoryStoreType else {
      fatalError("The store type '\(storeType)' is the framework's own and cannot be registered.")
    }
    guard let storeClass else { return StoreClasses.set(nil, for: storeType) }
    guard let type = storeClass as? NSPersistentStore.Type,
      storeClass is NSAtomicStore.Type || storeClass is NSIncrementalStore.Type
    else { fatalError("\(storeClass) is not a subclass of NSAtomicStore or NSIncrementalStore.") }
    StoreClasses.set(type, for: storeType)
  }

  /// Registers a class for a store type.
  public class func registerStoreClass(_ storeClass: AnyClass?, type: NSPersistentStore.StoreType) {
    registerStoreClass(storeClass, forStoreType: type.rawValue)
  }

  /// The store types that can be added, with the addresses of their classes. On Linux an `NSValue` holds no pointer, so
  /// the address is its 64-bit number.
  public class var registeredStoreTypes: [String: NSValue] {
    let own = StoreDrivers.types.map { ($0, NSPersistentStore.self) }
    return Dictionary(uniqueKeysWithValues: own).merging(StoreClasses.all) { _, registered in registered }.mapValues {
      storeClass in
      var address = UInt64(UInt(bitPattern: Unmanaged.passUnretained(storeClass as AnyObject).toOpaque()))
      return NSValue(bytes: &address, objCType: "Q")
    }
  }
}
