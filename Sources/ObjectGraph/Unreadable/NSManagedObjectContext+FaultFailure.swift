import Foundation
import StrataRowStore
import StrataSupport

/// Reads of faults that fail. See the article "Faults that cannot be read".
extension NSManagedObjectContext {
  /// Records that a part of an object could not be read. The access continues without a value.
  ///
  /// The first failure is reported; the others belong to the same condition until the context recovers.
  func noteFailure(_ cause: any Error, reading part: FaultFailure.Part) {
    registry.failedReads &+= 1
    let error = failures.keepsNextError ? faultError(cause, of: part) : nil
    guard failures.add(part, error), let error else { return }
    let text = error.localizedDescription.split(whereSeparator: \.isNewline).joined(separator: " ")
    Diagnostics.warn(
      "\(text) The access returned no value, and the context does not save until rollback(), "
        + "reset() or refreshAllObjects() succeeds.")
    NotificationCenter.default.post(
      name: .NSManagedObjectContextDidFailToFillFault, object: self,
      userInfo: [NSFaultFailureErrorKey: error, NSFaultFailureObjectIDsKey: Set([publicID(part.object)])])
  }

  /// Runs reads whose failure the caller can throw, instead of marking the context.
  /// - Throws: the error of the first failed read, whatever `body` returns or throws; otherwise the error of `body`.
  package func throwingFailedReads<T>(_ body: () throws -> T) throws -> T {
    let outer = failures.collect()
    let result = Result { try body() }
    if let error = failures.endCollecting(outer) { throw error }
    return try result.get()
  }

  /// Runs code of a program's store that writes what it reads from objects, and stops the program at a failed read, as
  /// Apple's framework does: the store would write that the value is nil.
  package func stoppingAtFailedReads<T>(_ body: () throws -> T) rethrows -> T {
    let outer = failures.stopsProgram
    failures.stopsProgram = true
    defer { failures.stopsProgram = outer }
    return try body()
  }

  /// How many reads of the context's objects have failed; for callers that must not use a result with missing values.
  package var failedReads: Int { registry.failedReads }

  // MARK: Recovery

  /// Reads again what could not be read; returns whether everything could be.
  func recoverFaults() -> Bool {
    guard let failure = failures.current else { return true }
    do { try read(failure.parts) } catch { return false }
    failures.recover()
    // An undo would restore what was recorded without the missing values.
    forgetUndo()
    return true
  }

  /// Rows are kept for their faults. Members and fetched objects are read again by the next access.
  private func read(_ parts: Set<FaultFailure.Part>) throws {
    let source = try requireSource()
    var ids: [RowID] = []
    var owners: [MembersKey: [RowID]] = [:]
    for part in parts {
      let id = family.replacedIDs.current(part.object)
      // Objects of a removed store have left the context.
      guard id.isTemporary || source.store(number: id.store) != nil else { continue }
      switch part {
      case .row: ids.append(id)
      case .members(_, let number): owners[MembersKey(entity: id.entity, number: number), default: []].append(id)
      case .fetched(_, let name):
        guard let object = registry.object(id), let property = object.fetchedProperty(named: name)
        else { continue }
        _ = try throwingFailedReads { try object.fetchObjects(of: property) }
      }
    }
    if !ids.isEmpty {
      try source.rows(with: ids).forEach { page, index in
        guard let object = registry.object(page.id(index)), object.waitsForRow else { return }
        object.use(page, row: index)
      }
    }
    for (key, owners) in owners { _ = try source.related(to: owners, relationship: key.number) }
  }
}

/// The to-many relationship of an entity.
private struct MembersKey: Hashable {
  var entity: Int
  var number: Int
}
