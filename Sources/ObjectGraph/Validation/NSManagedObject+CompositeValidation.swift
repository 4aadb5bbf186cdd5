import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Validation of composite attributes: a required one must have a value, and one that has a value must have its
/// required elements. Errors name an element by its path: `magnitude.richter`.
extension NSManagedObject {
  /// Whether one of some slots is not nil.
  func hasValue(_ slots: Range<Int>) -> Bool {
    guard let page else { return false }
    return slots.contains { !page.isNil(row: rowIndex, slot: $0) }
  }

  func compositeErrors(_ plan: ValidationPlan) -> [CocoaError] {
    plan.composites.compactMap { check in
      let isWanted = check.around.map(hasValue) ?? true
      let isUnread = check.composite.slots.allSatisfy(hasUnreadTransient)
      return error(of: compositeValue(check.composite), check, isWanted: isWanted && !isUnread)
    }
  }

  /// - Parameter isWanted: whether the enclosing composite attribute has a value.
  private func error(
    of value: [String: Any]?, _ check: ValidationPlan.CompositeCheck, isWanted: Bool
  ) -> CocoaError? {
    guard let value else {
      return check.isRequired && isWanted ? failure(.missingValue, name: check.composite.name) : nil
    }
    for rule in check.rules {
      guard let code = rule.violation(PredicateResult(plain: value), boxed: value) else { continue }
      return failure(code, name: check.composite.name, value: value, rule: rule)
    }
    return nil
  }

  /// Validates a value against the rules of the model, regardless of the current value.
  func validate(_ value: Any?, as composite: CompositeAttribute) throws {
    var values: [Int: Any] = [:]
    try composite.spread(value) { path, reason in
      CocoaError.coreData(.validation, "\(path) is not valid: \(reason).", userInfo: [NSValidationKeyErrorKey: path])
    } take: { slot, value throws(CocoaError) in
      values[slot] = value
    }
    func isGiven(_ slots: Range<Int>) -> Bool { slots.contains { values[$0] != nil } }
    var errors: [any Error] = ValidationPlan.checks(of: composite, of: entity, in: nil).compactMap { check in
      error(
        of: check.composite.dictionary { values[$0] }, check, isWanted: check.around.map(isGiven) ?? true)
    }
    errors += composite.slots.compactMap { slot -> CocoaError? in
      guard let check = modeledCheck(of: slot) else { return nil }
      guard let value = values[slot] else {
        return check.isRequired && check.around.map(isGiven) ?? true ? failure(.missingValue, name: check.name) : nil
      }
      return error(of: PredicateResult(plain: value), check, boxed: value)
    }
    try CocoaError.throwAll(errors)
  }
}
