import Foundation
import StrataManagedModel

/// The validation of objects, which may correct values and delete objects.
extension SaveOperation {
  /// The largest number of rounds, for validations that correct values.
  private static let maximumRounds = 1_000

  /// Validates all objects of a save. If a validation changes a value, applies the delete rules of newly deleted
  /// objects and starts again; the result is that of the last round.
  func validate() throws {
    for _ in 0..<Self.maximumRounds {
      let before = (context.registry.valueChanges, context.tracker.tracked.count)
      let errors = validationErrors()
      guard
        before != (context.registry.valueChanges, context.tracker.tracked.count) || !context.tracker.deletions.isEmpty
      else {
        return try CocoaError.throwAll(errors)
      }
      try settle()
    }
    throw CocoaError.coreData(
      .save, "Validation keeps changing objects after \(Self.maximumRounds) rounds; a save needs it to end.")
  }

  private func validationErrors() -> [any Error] {
    var errors: [any Error] = []
    // A copy: a validation may insert and delete objects.
    let tracked = context.tracker.tracked
    tracked.forEachHeld { object in
      guard object.life.isPending && !object.flags.contains(.inaccessible) else { return }
      do {
        switch object.life {
        case .inserted: try object.validateForInsert()
        case .changed: try object.validateForUpdate()
        case .deleted: try object.validateForDelete()
        case .detached, .fault, .clean: break
        }
      } catch {
        errors.append(error)
      }
    }
    return errors
  }
}

extension CocoaError {
  /// Throws one error as itself, several in one that lists them. Errors that contain others are flattened, whatever
  /// kind of array they have.
  static func throwAll(_ errors: [any Error]) throws {
    guard let first = errors.first else { return }
    let details = errors.flatMap(details)
    guard errors.count > 1 else { throw first }
    let reasons = details.prefix(maximumNamed).map { $0.localizedFailureReason ?? $0.localizedDescription }
    let rest = details.count > reasons.count ? " And \(details.count - reasons.count) more." : ""
    throw coreData(
      .severalErrors, "Multiple validation errors occurred.",
      userInfo: [
        NSLocalizedFailureReasonErrorKey: reasons.joined(separator: " ") + rest,
        NSDetailedErrorsKey: NSMutableArray(array: details),
      ])
  }

  private static func details(of error: any Error) -> [NSError] {
    let error = error as NSError
    guard error.domain == CocoaError.errorDomain, error.code == CoreDataCode.severalErrors.rawValue,
      let list = error.userInfo[NSDetailedErrorsKey]
    else { return [error] }
    let members = (list as? NSArray).map(Array.init) ?? list as? [Any] ?? []
    return members.compactMap { $0 as? any Error }.map { $0 as NSError }
  }
}
