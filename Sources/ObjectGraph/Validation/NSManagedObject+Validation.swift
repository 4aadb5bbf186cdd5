import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Validation before a save: required values, the model's rules, the number of related objects.
extension NSManagedObject {
  private var validationPlan: ValidationPlan {
    context?.validationPlan(of: self) ?? ValidationPlan(of: layout, entity, objectClass: type(of: self))
  }

  func validateProperties() throws {
    guard !flags.contains(.inaccessible) else { return }
    // A program may validate a fault, and one of which only a to-many relationship changed.
    materialize()
    let plan = validationPlan
    var errors: [any Error] = []
    if plan.validatesEachValue {
      errors = eachValueErrors()
    } else {
      if !hasFineSlots(plan) { errors = slotErrors(plan) }
      if !plan.composites.isEmpty { errors += compositeErrors(plan) }
      for number in plan.counted where hasNewCount(number) {
        if let error = countError(toMany: number, count: linkCount(number)) { errors.append(error) }
      }
    }
    try CocoaError.throwAll(errors)
  }

  /// Whether a relationship's count must be validated. An unchanged relationship was valid when it was saved, and is
  /// not read.
  private func hasNewCount(_ number: Int) -> Bool {
    flags.contains(.neverSaved) || edits?.links[number]?.isChanged == true
  }

  // MARK: Attributes and to-one relationships

  private func hasFineSlots(_ plan: ValidationPlan) -> Bool {
    page.map { plan.areFine($0, row: rowIndex) } ?? false
  }

  private func slotErrors(_ plan: ValidationPlan) -> [any Error] {
    plan.slots.indices.compactMap { index in
      if let page, plan.quick[index].isFine(page, row: rowIndex) { return nil }
      return slotError(plan.slots[index])
    }
  }

  private func slotError(_ check: ValidationPlan.SlotCheck) -> CocoaError? {
    if check.kind == .object {
      guard let value = edits?.objects[check.slot] else { return missing(check) }
      return error(of: PredicateResult(plain: value), check, boxed: value)
    }
    guard let page, !page.isNil(row: rowIndex, slot: check.slot) else { return missing(check) }
    if check.rules.isEmpty, check.kind != .date {
      guard check.kind.isWhole else { return nil }
      return rangeError(page.integer(row: rowIndex, slot: check.slot), check: check)
    }
    return error(of: .value(row.predicateValue(check.slot)), check, boxed: slotValue(check.slot))
  }

  private func missing(_ check: ValidationPlan.SlotCheck) -> CocoaError? {
    guard check.isRequired, check.around.map(hasValue) ?? true, !hasUnreadTransient(check.slot) else { return nil }
    return failure(.missingValue, name: check.name)
  }

  private func rangeError(_ number: Int64, check: ValidationPlan.SlotCheck) -> CocoaError? {
    if number > check.range.upperBound {
      return failure(.numberTooLarge, name: check.name, value: NSNumber(value: number))
    }
    if number < check.range.lowerBound {
      return failure(.numberTooSmall, name: check.name, value: NSNumber(value: number))
    }
    return nil
  }

  func error(
    of value: PredicateResult, _ check: ValidationPlan.SlotCheck, boxed: @autoclosure () -> Any?
  ) -> CocoaError? {
    switch value {
    case .value(.integer(let number)) where check.kind.isWhole:
      if let error = rangeError(number, check: check) { return error }
    case .value(.date(let date)) where !date.timeIntervalSinceReferenceDate.isFinite:
      // A date that is not a number has no description.
      return failure(.invalidDate, name: check.name, value: date.timeIntervalSinceReferenceDate.isNaN ? nil : date)
    default: break
    }
    for rule in check.rules {
      guard let code = rule.violation(value, boxed: boxed()) else { continue }
      return failure(code, name: check.name, value: boxed(), rule: rule)
    }
    return nil
  }

  // MARK: Counts

  /// Counts are enforced if the relationship is not empty, or if it is required. A required relationship without a
  /// minimum may be empty.
  private func countError(toMany number: Int, count: Int) -> CocoaError? {
    let relationship = layout.toMany[number].relationship
    if count == 0, relationship.isOptional { return nil }
    if count < relationship.minCount {
      return failure(.tooFewLinks, name: relationship.name, value: linkedCollection(number))
    }
    if relationship.maxCount > 0, count > relationship.maxCount {
      return failure(.tooManyLinks, name: relationship.name, value: linkedCollection(number))
    }
    return nil
  }

  // MARK: Deletion

  /// Fails if a relationship with the deny rule leads to an object that is not deleted.
  func validateDeletion() throws {
    guard layout.deniesDeletion else { return }
    var errors: [CocoaError] = []
    for (slot, property) in layout.slots.enumerated() where property.relationship?.deleteRule == .denyDeleteRule {
      guard let target = target(slot), target.life != .deleted else { continue }
      errors.append(failure(.deniedDelete, name: property.name, value: target))
    }
    for (number, property) in layout.toMany.enumerated() where property.relationship.deleteRule == .denyDeleteRule {
      guard linkedObjects(number).contains(where: { $0.life != .deleted }) else { continue }
      errors.append(failure(.deniedDelete, name: property.name, value: linkedCollection(number)))
    }
    try CocoaError.throwAll(errors)
  }

  // MARK: One value

  /// Validates a value against the rules of the model, regardless of the current value.
  func validateModeledValue(_ value: Any?, forKey key: String) throws {
    let value = value is NSNull ? nil : value
    if let slot = layout.slot(named: key) {
      guard let check = modeledCheck(of: slot) else { return }
      let error = value == nil ? missing(check) : error(of: PredicateResult(plain: value), check, boxed: value)
      if let error { throw error }
    } else if let number = layout.toMany(named: key) {
      let count = (value as? NSOrderedSet)?.count ?? (value as? NSSet)?.count ?? 0
      if let error = countError(toMany: number, count: count) { throw error }
    } else if let composite = layout.composite(named: key) {
      try validate(value, as: composite)
    } else {
      unknown(key)
    }
  }

  /// The check of a slot; nil if all its values are valid.
  func modeledCheck(of slot: Int) -> ValidationPlan.SlotCheck? {
    validationPlan.slots.first { $0.slot == slot }
  }

  func failure(
    _ code: CocoaError.CoreDataCode, name: String, value: Any? = nil,
    rule: ValidationRule? = nil
  ) -> CocoaError {
    var info: [String: Any] = [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: name]
    if let value { info[NSValidationValueErrorKey] = value }
    if let rule { info[NSValidationPredicateErrorKey] = rule.predicate }
    let text =
      code == .deniedDelete
      ? "Items cannot be deleted from \(name)."
      : rule?.text(code, name: name) ?? "\(name) \(code.complaint ?? "is not valid.")"
    // Apple's sentence names no object.
    info[NSLocalizedFailureReasonErrorKey] = "\(nameInErrors): \(text)"
    return .coreData(code, text, userInfo: info)
  }
}

extension SlotKind {
  fileprivate var isWhole: Bool { self == .integer16 || self == .integer32 || self == .integer64 }
}
