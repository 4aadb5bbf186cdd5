import Foundation
import StrataObjectGraph
import StrataPredicates
import StrataRowStore

extension NSPersistentHistoryTransaction: PredicateSubject {
  package func predicateResult(forKey key: String) -> PredicateResult {
    switch key {
    case "author": .value(author.map { .string($0) } ?? .null)
    case "bundleID": .value(.string(bundleID))
    case "contextName": .value(contextName.map { .string($0) } ?? .null)
    case "processID": .value(.string(processID))
    case "storeID": .value(.string(storeID))
    case "timestamp": .value(.date(timestamp))
    case "token", "transactionNumber": .value(.integer(transactionNumber))
    case "changes": .members((changes ?? []).map { .subject($0) })
    default: .unknownKey
    }
  }

  package var predicateIdentity: PredicateValue { .integer(transactionNumber) }
}

extension NSPersistentHistoryChange: PredicateSubject {
  package func predicateResult(forKey key: String) -> PredicateResult {
    switch key {
    case "changeID": .value(.integer(changeID))
    case "changeType": .value(.integer(change.kind.rawValue))
    case "changedEntity": .value(.integer(Int64(change.id.entity)))
    case "changedObjectID": .subject(ChangedObject(id: change.id))
    case "tombstone": .subject(Tombstone(values: tombstone ?? [:]))
    case "updatedProperties": .members(change.updatedProperties.map { .value(.string($0)) })
    case "transaction": .subject(NSPersistentHistoryTransaction(record))
    // A change answers for its transaction too: a row of the history knows both.
    default: NSPersistentHistoryTransaction(record).predicateResult(forKey: key)
    }
  }

  package var predicateIdentity: PredicateValue { .integer(changeID) }
}

/// The ID of a changed object in a predicate; the object itself may be gone.
private struct ChangedObject: PredicateSubject {
  let id: RowID

  func predicateResult(forKey key: String) -> PredicateResult {
    key == "entity" ? .value(.integer(Int64(id.entity))) : .unknownKey
  }

  var predicateIdentity: PredicateValue { .row(id.bits) }
}

/// The kept values of a deleted object.
private struct Tombstone: PredicateSubject {
  let values: [AnyHashable: Any]

  func predicateResult(forKey key: String) -> PredicateResult {
    .value(values[key].flatMap { PredicateValue(argument: $0) } ?? .null)
  }

  var predicateIdentity: PredicateValue { .null }
}
