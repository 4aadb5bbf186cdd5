import Foundation
import StrataRowStore

/// The failed reads of a context, and the error of the first. While the context has one, it does not save: a value that was
/// not read must not be overwritten.
struct FaultFailure {
  /// A part of an object that one read fills.
  enum Part: Hashable {
    case row(RowID)
    /// A to-many relationship, by the number in the owner's layout.
    case members(of: RowID, number: Int)
    /// A fetched property, by name.
    case fetched(by: RowID, name: String)

    var object: RowID {
      switch self {
      case .row(let id), .members(of: let id, _), .fetched(by: let id, _): id
      }
    }
  }

  /// The public form of the first error.
  let error: CocoaError
  private(set) var parts: Set<Part> = []

  init(_ error: CocoaError) { self.error = error }

  mutating func add(_ part: Part) { parts.insert(part) }
}

/// How a context treats reads of faults that fail.
struct ReadFailures {
  /// The reads that failed since the context last recovered; nil if none did.
  private(set) var current: FaultFailure?
  /// Collects failed reads for a caller that throws them; nil if they mark the context.
  private(set) var collected: FailedRead?
  /// Whether a failed read stops the program.
  var stopsProgram = StrictFaults.isOn

  /// The first failed read of several; empty if none failed.
  struct FailedRead { var error: CocoaError? }

  /// Whether the error of the next failed read is kept.
  var keepsNextError: Bool { collected.map { $0.error == nil } ?? (current == nil) }

  /// Adds a failed read.
  /// - Parameter error: its error, if it is kept.
  /// - Returns: whether it is the first that marks the context, and has to be reported.
  mutating func add(_ part: FaultFailure.Part, _ error: CocoaError?) -> Bool {
    if collected != nil {
      if let error { collected = FailedRead(error: error) }
      return false
    }
    if let error { current = FaultFailure(error) }
    current?.add(part)
    return error != nil
  }

  /// Begins to collect failed reads.
  /// - Returns: what was collected before, for `endCollecting`.
  mutating func collect() -> FailedRead? {
    defer { collected = FailedRead() }
    return collected
  }

  /// Ends what `collect()` began.
  /// - Returns: the error of the first read that failed since.
  mutating func endCollecting(_ outer: FailedRead?) -> CocoaError? {
    defer { collected = outer }
    return collected?.error
  }

  /// Ends the refusal to save: everything could be read, or all unsaved changes were discarded.
  mutating func recover() { current = nil }
}

extension NSManagedObjectContext {
  /// Returns the public form of an error that occurred while a fault was filled: the cause's code, the object, the store
  /// and the reason.
  func faultError(_ cause: any Error, of part: FaultFailure.Part) -> CocoaError {
    let id = publicID(part.object)
    let known = (cause as? StoreError).map { CocoaError($0) } ?? cause as? CocoaError
    let subject =
      switch part {
      case .row: "the object '\(id)'"
      case .members(of: let owner, let number):
        "the relationship '\(model.layout(number: owner.entity).toMany[number].name)' of '\(id)'"
      case .fetched(_, let name): "the fetched property '\(name)' of '\(id)'"
      }
    let reason =
      known?.localizedDescription ?? (cause as? any LocalizedError)?.errorDescription ?? "\(cause)"
    var info: [String: Any] = [
      NSLocalizedDescriptionKey: "CoreData could not read \(subject). \(reason)",
      NSLocalizedFailureReasonErrorKey: reason, NSUnderlyingErrorKey: cause, NSAffectedObjectsErrorKey: [id],
    ]
    info[NSAffectedStoresErrorKey] = source?.store(number: part.object.store)?.store.map { [$0] }
    info[NSSQLiteErrorDomain] = known?.userInfo[NSSQLiteErrorDomain]
    return .printed(known?.code ?? .persistentStoreOperation, userInfo: info)
  }
}

extension CocoaError {
  /// Returns the error of a save that a failed read prevents.
  fileprivate static func refusedSave(after failure: CocoaError) -> CocoaError {
    var info = failure.userInfo
    info[NSLocalizedDescriptionKey] =
      "Nothing was saved, because values that could not be read might be overwritten. \(failure.localizedDescription) "
      + "Call rollback() or reset(), or refreshAllObjects() once the store can be read again."
    info[NSUnderlyingErrorKey] = failure
    return .printed(failure.code, userInfo: info)
  }
}

extension NSManagedObjectContext {
  /// - Throws: the error of the first failed read since the context last recovered.
  func refuseSaveAfterFaultFailure() throws {
    if let failure = failures.current { throw CocoaError.refusedSave(after: failure.error) }
  }
}
