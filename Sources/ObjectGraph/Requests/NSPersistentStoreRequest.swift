import Foundation
import StrataRowStore

/// What a context or a coordinator is asked to do.
/// See https://developer.apple.com/documentation/coredata/nspersistentstorerequest
open class NSPersistentStoreRequest: NSObject, NSCopying {
  /// The kind of request.
  open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// The stores that are asked; nil is all of the coordinator's. Its public form is `affectedStores`.
  // A request is one thread's at a time.
  package var chosenStores: [StoreIdentity]? {
    get { givenChosenStores }
    set { edit(&givenChosenStores, newValue) }
  }
  @exclusivity(unchecked) private var givenChosenStores: [StoreIdentity]?

  public override init() { super.init() }

  /// The request itself: kinds that can be copied answer a copy.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Called before the request is changed.
  func willEdit() {}

  /// Sets what the request holds.
  @inline(__always)
  final func edit<Value>(_ held: inout Value, _ value: Value) {
    willEdit()
    held = value
  }
}

extension NSPersistentStoreRequest {
  /// The numbers of the stores that are asked; nil is all of them.
  package var storeNumbers: Set<Int>? { chosenStores.map { Set($0.map(\.number)) } }
}

/// The kinds of request.
/// See https://developer.apple.com/documentation/coredata/nspersistentstorerequesttype
public enum NSPersistentStoreRequestType: UInt, Sendable {
  case fetchRequestType = 1
  case saveRequestType = 2
  case batchInsertRequestType = 5
  case batchUpdateRequestType = 6
  case batchDeleteRequestType = 7
}

/// What a request that was executed has to say.
/// See https://developer.apple.com/documentation/coredata/nspersistentstoreresult
open class NSPersistentStoreResult: NSObject {}
