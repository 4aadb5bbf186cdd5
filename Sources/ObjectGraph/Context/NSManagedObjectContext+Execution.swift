import Foundation
import StrataRowStore

/// A request type that is generic in its result, so that no `as?` can match it: it executes itself.
package protocol ContextRequest: NSPersistentStoreRequest {
  /// The caller must be on the context's queue.
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSManagedObjectContext {
  func run(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    checkQueue("execute(_:)")
    return switch request {
    case let request as NSBatchInsertRequest: try insert(request)
    case let request as NSBatchUpdateRequest: try update(request)
    case let request as NSBatchDeleteRequest: try delete(request)
    case let request as any ContextRequest: try request.execute(in: self)
    case is NSSaveChangesRequest:
      throw CocoaError.coreData(
        .unsupported, "A context does not execute an NSSaveChangesRequest: call save() to save its changes.")
    default: try storeErrors { try requireSource().execute(request, for: self) }
    }
  }

  /// Executes a bulk change in the stores, under the context's name and author.
  func execute(_ work: BulkChange.Work, for request: NSPersistentStoreRequest, wantsIDs: Bool) throws -> BulkReceipt {
    let change = BulkChange(
      work, stores: request.storeNumbers, wantsIDs: wantsIDs, author: transactionAuthor, contextName: name)
    return try storeErrors(saving: true) { try requireSource().execute(change) }
  }
}

extension ObjectSource {
  /// Executes a request that contexts do not handle themselves, such as a history request.
  /// - Throws: code 134091 for an unsupported kind of request.
  package func execute(
    _ request: NSPersistentStoreRequest, for context: NSManagedObjectContext
  ) throws -> NSPersistentStoreResult {
    throw CocoaError.coreData(.unsupported, "No store can execute a request of the kind \(type(of: request)).")
  }
}
