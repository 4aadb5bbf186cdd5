import CoreData
import Foundation
import Testing

/// All symbols of persistent history.
@Suite struct HistoryAPI {
  @Test func requestsAreThere() {
    use(
      "type-method|NSPersistentHistoryChangeRequest|deleteHistory(before:)",
      NSPersistentHistoryChangeRequest.deleteHistory(before:)
        as (NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest)
    use(
      "type-method|NSPersistentHistoryChangeRequest|deleteHistory(before:)",
      NSPersistentHistoryChangeRequest.deleteHistory(before:) as (Date) -> NSPersistentHistoryChangeRequest)
    use(
      "type-method|NSPersistentHistoryChangeRequest|deleteHistory(before:)",
      NSPersistentHistoryChangeRequest.deleteHistory(before:)
        as (NSPersistentHistoryTransaction?) -> NSPersistentHistoryChangeRequest)
    use(
      "type-method|NSPersistentHistoryChangeRequest|fetchHistory(after:)",
      NSPersistentHistoryChangeRequest.fetchHistory(after:)
        as (NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest)
    use(
      "type-method|NSPersistentHistoryChangeRequest|fetchHistory(after:)",
      NSPersistentHistoryChangeRequest.fetchHistory(after:)
        as (NSPersistentHistoryTransaction?) -> NSPersistentHistoryChangeRequest)
    use(
      "type-method|NSPersistentHistoryChangeRequest|fetchHistory(after:)",
      NSPersistentHistoryChangeRequest.fetchHistory(after:) as (Date) -> NSPersistentHistoryChangeRequest)
    use(
      "type-method|NSPersistentHistoryChangeRequest|fetchHistory(withFetch:)",
      NSPersistentHistoryChangeRequest.fetchHistory(withFetch:)
        as (NSFetchRequest<any NSFetchRequestResult>) -> NSPersistentHistoryChangeRequest)
    use(
      "property|NSPersistentHistoryChangeRequest|fetchRequest",
      \NSPersistentHistoryChangeRequest.fetchRequest
        as ReferenceWritableKeyPath<NSPersistentHistoryChangeRequest, NSFetchRequest<any NSFetchRequestResult>?>)
    use(
      "property|NSPersistentHistoryChangeRequest|resultType",
      \NSPersistentHistoryChangeRequest.resultType
        as ReferenceWritableKeyPath<NSPersistentHistoryChangeRequest, NSPersistentHistoryResultType>)
    use(
      "property|NSPersistentHistoryChangeRequest|token",
      \NSPersistentHistoryChangeRequest.token as KeyPath<NSPersistentHistoryChangeRequest, NSPersistentHistoryToken?>)
    use("class||NSPersistentHistoryChangeRequest", NSPersistentHistoryChangeRequest.self)
    use(
      "init|NSPersistentHistoryChangeRequest|init()",
      NSPersistentHistoryChangeRequest.init as () -> NSPersistentHistoryChangeRequest)
  }

  @Test func resultsAreThere() {
    use(
      "property|NSPersistentHistoryResult|result",
      \NSPersistentHistoryResult.result as KeyPath<NSPersistentHistoryResult, Any?>)
    use(
      "property|NSPersistentHistoryResult|resultType",
      \NSPersistentHistoryResult.resultType as KeyPath<NSPersistentHistoryResult, NSPersistentHistoryResultType>)
    use("class||NSPersistentHistoryResult", NSPersistentHistoryResult.self)
  }

  @Test func resultTypesAreThere() {
    use(
      "init|NSPersistentHistoryResultType|init(rawValue:)",
      NSPersistentHistoryResultType.init(rawValue:) as (Int) -> NSPersistentHistoryResultType?)
    use("case|NSPersistentHistoryResultType|changesOnly", NSPersistentHistoryResultType.changesOnly.rawValue, 4)
    use("case|NSPersistentHistoryResultType|count", NSPersistentHistoryResultType.count.rawValue, 2)
    use("case|NSPersistentHistoryResultType|objectIDs", NSPersistentHistoryResultType.objectIDs.rawValue, 1)
    use("case|NSPersistentHistoryResultType|statusOnly", NSPersistentHistoryResultType.statusOnly.rawValue, 0)
    use(
      "case|NSPersistentHistoryResultType|transactionsAndChanges",
      NSPersistentHistoryResultType.transactionsAndChanges.rawValue, 5)
    use(
      "case|NSPersistentHistoryResultType|transactionsOnly", NSPersistentHistoryResultType.transactionsOnly.rawValue, 3)
    use("enum||NSPersistentHistoryResultType", NSPersistentHistoryResultType.self)
  }

  @Test func transactionsAreThere() {
    use(
      "property|NSPersistentHistoryTransaction|author",
      \NSPersistentHistoryTransaction.author as KeyPath<NSPersistentHistoryTransaction, String?>)
    use(
      "property|NSPersistentHistoryTransaction|bundleID",
      \NSPersistentHistoryTransaction.bundleID as KeyPath<NSPersistentHistoryTransaction, String>)
    use(
      "property|NSPersistentHistoryTransaction|changes",
      \NSPersistentHistoryTransaction.changes as KeyPath<NSPersistentHistoryTransaction, [NSPersistentHistoryChange]?>)
    use(
      "property|NSPersistentHistoryTransaction|contextName",
      \NSPersistentHistoryTransaction.contextName as KeyPath<NSPersistentHistoryTransaction, String?>)
    use(
      "type-method|NSPersistentHistoryTransaction|entityDescription(with:)",
      NSPersistentHistoryTransaction.entityDescription(with:) as (NSManagedObjectContext) -> NSEntityDescription?)
    use(
      "type-property|NSPersistentHistoryTransaction|entityDescription",
      NSPersistentHistoryTransaction.entityDescription as NSEntityDescription? as Any)
    use(
      "type-property|NSPersistentHistoryTransaction|fetchRequest",
      NSPersistentHistoryTransaction.fetchRequest as NSFetchRequest<any NSFetchRequestResult>? as Any)
    use(
      "method|NSPersistentHistoryTransaction|objectIDNotification()",
      NSPersistentHistoryTransaction.objectIDNotification as (NSPersistentHistoryTransaction) -> () -> Notification)
    use(
      "property|NSPersistentHistoryTransaction|processID",
      \NSPersistentHistoryTransaction.processID as KeyPath<NSPersistentHistoryTransaction, String>)
    use(
      "property|NSPersistentHistoryTransaction|storeID",
      \NSPersistentHistoryTransaction.storeID as KeyPath<NSPersistentHistoryTransaction, String>)
    use(
      "property|NSPersistentHistoryTransaction|timestamp",
      \NSPersistentHistoryTransaction.timestamp as KeyPath<NSPersistentHistoryTransaction, Date>)
    use(
      "property|NSPersistentHistoryTransaction|token",
      \NSPersistentHistoryTransaction.token as KeyPath<NSPersistentHistoryTransaction, NSPersistentHistoryToken>)
    use(
      "property|NSPersistentHistoryTransaction|transactionNumber",
      \NSPersistentHistoryTransaction.transactionNumber as KeyPath<NSPersistentHistoryTransaction, Int64>)
    use("class||NSPersistentHistoryTransaction", NSPersistentHistoryTransaction.self)
    use(
      "conformance|NSPersistentHistoryTransaction|NSCopying", NSPersistentHistoryTransaction.self as any NSCopying.Type)
  }

  @Test func changesAreThere() {
    use(
      "property|NSPersistentHistoryChange|changedObjectID",
      \NSPersistentHistoryChange.changedObjectID as KeyPath<NSPersistentHistoryChange, NSManagedObjectID>)
    use(
      "property|NSPersistentHistoryChange|changeID",
      \NSPersistentHistoryChange.changeID as KeyPath<NSPersistentHistoryChange, Int64>)
    use(
      "property|NSPersistentHistoryChange|changeType",
      \NSPersistentHistoryChange.changeType as KeyPath<NSPersistentHistoryChange, NSPersistentHistoryChangeType>)
    use(
      "type-method|NSPersistentHistoryChange|entityDescription(with:)",
      NSPersistentHistoryChange.entityDescription(with:) as (NSManagedObjectContext) -> NSEntityDescription?)
    use(
      "type-property|NSPersistentHistoryChange|entityDescription",
      NSPersistentHistoryChange.entityDescription as NSEntityDescription? as Any)
    use(
      "type-property|NSPersistentHistoryChange|fetchRequest",
      NSPersistentHistoryChange.fetchRequest as NSFetchRequest<any NSFetchRequestResult>? as Any)
    use(
      "property|NSPersistentHistoryChange|tombstone",
      \NSPersistentHistoryChange.tombstone as KeyPath<NSPersistentHistoryChange, [AnyHashable: Any]?>)
    use(
      "property|NSPersistentHistoryChange|transaction",
      \NSPersistentHistoryChange.transaction as KeyPath<NSPersistentHistoryChange, NSPersistentHistoryTransaction?>)
    use(
      "property|NSPersistentHistoryChange|updatedProperties",
      \NSPersistentHistoryChange.updatedProperties as KeyPath<NSPersistentHistoryChange, Set<NSPropertyDescription>?>)
    use("class||NSPersistentHistoryChange", NSPersistentHistoryChange.self)
    use("conformance|NSPersistentHistoryChange|NSCopying", NSPersistentHistoryChange.self as any NSCopying.Type)
  }

  @Test func changeTypesAreThere() {
    use(
      "init|NSPersistentHistoryChangeType|init(rawValue:)",
      NSPersistentHistoryChangeType.init(rawValue:) as (Int) -> NSPersistentHistoryChangeType?)
    use("case|NSPersistentHistoryChangeType|delete", NSPersistentHistoryChangeType.delete.rawValue, 2)
    use("case|NSPersistentHistoryChangeType|insert", NSPersistentHistoryChangeType.insert.rawValue, 0)
    use("case|NSPersistentHistoryChangeType|update", NSPersistentHistoryChangeType.update.rawValue, 1)
    use("enum||NSPersistentHistoryChangeType", NSPersistentHistoryChangeType.self)
  }

  @Test func tokensAreThere() {
    use("class||NSPersistentHistoryToken", NSPersistentHistoryToken.self)
    use("conformance|NSPersistentHistoryToken|NSCopying", NSPersistentHistoryToken.self as any NSCopying.Type)
    use("conformance|NSPersistentHistoryToken|NSSecureCoding", NSPersistentHistoryToken.self as any NSSecureCoding.Type)
  }
}
