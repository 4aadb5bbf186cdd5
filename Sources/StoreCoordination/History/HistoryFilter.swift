import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataPredicates
import StrataRowStore

/// Selects and sorts transactions or changes of one store as a fetch request asks, in memory.
struct HistoryFilter: @unchecked Sendable {
  // Sendable: neither a predicate nor a frozen model is changed while a request is executed.

  /// The kind of objects that the request fetches.
  enum Subject { case transactions, changes }

  let subject: Subject
  private let predicate: NSPredicate
  /// nil if the predicate is a block.
  private let tree: PredicateNode?

  /// - Returns: nil if everything is wanted.
  /// - Throws: code 134091 for a request with another entity.
  init?(_ request: NSFetchRequest<any NSFetchRequestResult>?, for store: NSPersistentStore) throws {
    guard let request else { return nil }
    subject = try Self.subject(of: request)
    guard let predicate = request.predicate ?? (subject == .changes ? NSPredicate(value: true) : nil) else {
      return nil
    }
    self.predicate = predicate
    tree = (try? predicate.tree)?.mappingValues { Self.stored($0, in: store) }
  }

  /// Whether a request fetches transactions or changes.
  static func subject(of request: NSFetchRequest<any NSFetchRequestResult>) throws -> Subject {
    switch request.entityName?.uppercased() {
    case "TRANSACTION": return .transactions
    case "CHANGE": return .changes
    default:
      throw CocoaError.coreData(
        .unsupported,
        "A request for history cannot fetch '\(request.entityName ?? "")': use "
          + "NSPersistentHistoryTransaction.fetchRequest, NSPersistentHistoryChange.fetchRequest, or a request "
          + "with the entityDescription of either.")
    }
  }

  /// Replaces tokens and transactions with their numbers in the store, IDs with its rows, entities with their numbers.
  private static func stored(_ value: PredicateValue, in store: NSPersistentStore) -> PredicateValue {
    guard case .reference(let reference) = value else { return value }
    switch reference.object {
    case let token as NSPersistentHistoryToken: return .integer(token.positions[store.identifier]?.number ?? 0)
    case let transaction as NSPersistentHistoryTransaction:
      return transaction.storeID == store.identifier ? .integer(transaction.transactionNumber) : .null
    case let object as NSManagedObject: return row(object.objectID, in: store)
    case let id as NSManagedObjectID: return row(id, in: store)
    case let entity as NSEntityDescription:
      let model = store.persistentStoreCoordinator?.managedObjectModel
      return model?.entitiesByName[entity.name ?? ""]?.layout.map { .integer(Int64($0.number)) } ?? .null
    default: return value
    }
  }

  /// An ID from another coordinator names the same row if it belongs to the same store.
  private static func row(_ id: NSManagedObjectID, in store: NSPersistentStore) -> PredicateValue {
    guard let coordinator = store.persistentStoreCoordinator, !id.isTemporaryID,
      id.storeIdentity?.uuid == store.identifier,
      let layout = coordinator.managedObjectModel.entitiesByName[id.entity.name ?? ""]?.layout
    else { return .null }
    return .row(RowID(store: store.storeIdentity.number, entity: layout.number, key: id.rowID.key).bits)
  }

  /// - Throws: code 134091 for a key that transactions and changes do not have.
  func wants(_ subject: some PredicateSubject & NSObject) throws -> Bool {
    guard let tree else { return predicate.evaluate(with: subject) }
    do throws(PredicateEvaluationError) {
      return try tree.evaluate(on: subject)
    } catch {
      let text = "History cannot be fetched with \(predicate.formatText): \(error)"
      throw CocoaError.coreData(.unsupported, text, cause: error)
    }
  }

  /// Bounds on the transaction numbers that can match, so that no others are read.
  var bounds: (after: Int64, upTo: Int64) {
    var bounds: (after: Int64, upTo: Int64) = (0, .max)
    guard let tree else { return bounds }
    narrow(&bounds, by: tree)
    return bounds
  }

  private func narrow(_ bounds: inout (after: Int64, upTo: Int64), by node: PredicateNode) {
    if case .and(let nodes) = node { for node in nodes { narrow(&bounds, by: node) } }
    guard case .comparison(let comparison) = node, case .keyPath(let path) = comparison.left,
      case .value(.integer(let number)) = comparison.right, let key = path.last,
      path.count == 1 || path == ["transaction", key], key == "token" || key == "transactionNumber"
    else { return }
    switch comparison.comparison {
    case .greater: bounds.after = max(bounds.after, number)
    case .greaterOrEqual: bounds.after = max(bounds.after, number.addingCapped(-1))
    case .less: bounds.upTo = min(bounds.upTo, number.addingCapped(-1))
    case .lessOrEqual: bounds.upTo = min(bounds.upTo, number)
    case .equal: bounds = (max(bounds.after, number.addingCapped(-1)), min(bounds.upTo, number))
    default: break
    }
  }
}

extension NSFetchRequest {
  /// Sorts transactions or changes as the request asks, by default in commit order, and cuts them to its offset and
  /// limit.
  /// - Throws: code 134091 for an order that no store can sort by.
  func arranged<Subject: PredicateSubject>(_ subjects: [Subject]) throws -> [Subject] {
    var subjects = subjects
    let sorts: [FetchableSort]
    do { sorts = try (sortDescriptors ?? []).map { try $0.fetchable } } catch let error as UnsupportedSortError {
      throw CocoaError.coreData(.unsupported, "History cannot be sorted: \(error)", cause: error)
    }
    if !sorts.isEmpty {
      let keyed = subjects.enumerated().map { place, subject in
        (place, subject, sorts.map { subject.result(at: $0.keyPath) })
      }
      subjects = keyed.sorted { first, second in
        for (index, sort) in sorts.enumerated() {
          let order = PredicateValue.order(first.2[index], second.2[index], by: sort.comparison)
          if order != .orderedSame { return (order == .orderedAscending) == sort.isAscending }
        }
        return first.0 < second.0
      }.map(\.1)
    }
    return Array(subjects.dropFirst(max(0, fetchOffset)).prefix(fetchLimit > 0 ? fetchLimit : .max))
  }
}

extension PredicateSubject {
  fileprivate func result(at path: [String]) -> PredicateValue {
    ((try? PredicateResult.subject(self).result(at: path)) ?? .value(.null)).plainValue
  }
}
