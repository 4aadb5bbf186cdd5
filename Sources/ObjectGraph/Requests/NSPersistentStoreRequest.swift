import Foundation
import StrataRowStore

/// The base class of requests to stores.
///
/// See <https://developer.apple.com/documentation/coredata/nspersistentstorerequest>
open class NSPersistentStoreRequest: NSObject, NSCopying {
  /// The kind of request.
  open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// The stores to query; nil means all of the coordinator's. Public as `affectedStores`.
  package var chosenStores: [StoreIdentity]? {
    get { givenChosenStores }
    set { edit(&givenChosenStores, to: newValue) }
  }
  @exclusivity(unchecked) private var givenChosenStores: [StoreIdentity]?

  /// Creates a request.
  public override init() { super.init() }

  /// Returns the request itself. Subclasses that can be copied return a copy.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Called before the request is changed.
  func willEdit() {}

  /// Sets a stored property, unless the request is immutable.
  @inline(__always)
  final func edit<Value>(_ held: inout Value, to value: Value) {
    willEdit()
    held = value
  }
}

extension NSPersistentStoreRequest {
  /// The numbers of the stores to query; nil means all of them.
  package var storeNumbers: Set<Int>? { chosenStores.map { Set($0.map(\.number)) } }
}

/// The kinds of request.
///
/// See <https://developer.apple.com/documentation/coredata/nspersistentstorerequesttype>
public enum NSPersistentStoreRequestType: UInt, Sendable {
  /// A fetch.
  case fetchRequestType = 1
  /// A save.
  case saveRequestType = 2
  /// A batch insert.
  case batchInsertRequestType = 5
  /// A batch update.
  case batchUpdateRequestType = 6
  /// A batch delete.
  case batchDeleteRequestType = 7
}

/// The base class of results of requests.
///
/// See <https://developer.apple.com/documentation/coredata/nspersistentstoreresult>
open class NSPersistentStoreResult: NSObject {}
