import Foundation
import ManagedModel
import Predicates
import RowStore

/// What must hold before an object is saved: required values, the model's rules, the number of related objects.
extension NSManagedObject {
  func validateProperties() throws {
    guard !marks.contains(.inaccessible) else { return }
    var errors: [CocoaError] = []
    for slot in layout.slots.indices { errors += slotErrors(slot) }
    for number in layout.toMany.indices { errors += linkErrors(number) }
    try CocoaError.throwAll(errors)
  }

  /// Fails if a relationship with the rule "deny" leads to an object that stays.
  func validateDeletion() throws {
    var errors: [CocoaError] = []
    for (slot, property) in layout.slots.enumerated()
    where property.relationship?.deleteRule == .denyDeleteRule && target(slot).map({ $0.life != .deleted }) == true {
      errors.append(failure(.deniedDelete, property.property, "still leads to an object."))
    }
    for (number, property) in layout.toMany.enumerated()
    where property.relationship.deleteRule == .denyDeleteRule
      && linkedObjects(number).contains(where: { $0.life != .deleted })
    {
      errors.append(failure(.deniedDelete, property.relationship, "still leads to objects."))
    }
    try CocoaError.throwAll(errors)
  }

  private func slotErrors(_ slot: Int) -> [CocoaError] {
    let property = layout.slots[slot]
    let isNil =
      property.kind == .object ? edits?.objects[slot] == nil : page?.isNil(Int(rowIndex), slot) ?? true
    if isNil {
      guard !property.property.isOptional else { return [] }
      return [failure(.missingValue, property.property, "is a required value.")]
    }
    guard !property.property.validationPredicates.isEmpty, let value = slotValue(slot) else { return [] }
    return ruleErrors(property.property, value)
  }

  private func ruleErrors(_ property: NSPropertyDescription, _ value: Any) -> [CocoaError] {
    property.validationPredicates.enumerated().compactMap { index, rule in
      guard !rule.evaluate(with: value) else { return nil }
      let warning = index < property.validationWarnings.count ? "\(property.validationWarnings[index])" : ""
      return failure(
        .validation, property, warning.isEmpty ? "breaks the rule \(rule)." : warning, value, rule)
    }
  }

  private func linkErrors(_ number: Int) -> [CocoaError] {
    let relationship = layout.toMany[number].relationship
    guard edits?.links[number]?.isChanged == true || life == .inserted else { return [] }
    guard relationship.minCount > 0 || relationship.maxCount > 0 || !relationship.isOptional else { return [] }
    let count = linkedIDs(number).count
    if count == 0 {
      guard !relationship.isOptional else { return [] }
      return [failure(.missingValue, relationship, "is a required value.")]
    }
    if count < relationship.minCount { return [failure(.tooFewLinks, relationship, "has too few objects.")] }
    if relationship.maxCount > 0, count > relationship.maxCount {
      return [failure(.tooManyLinks, relationship, "has too many objects.")]
    }
    return []
  }

  private func failure(
    _ code: CocoaError.CoreDataCode, _ property: NSPropertyDescription, _ text: String, _ value: Any? = nil,
    _ rule: NSPredicate? = nil
  ) -> CocoaError {
    var info: [String: Any] = [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: property.name]
    if let value { info[NSValidationValueErrorKey] = value }
    if let rule { info[NSValidationPredicateErrorKey] = rule }
    return .coreData(code, "\(property.name) \(text)", info)
  }
}

extension CocoaError {
  /// One error as itself, several under one that lists them.
  static func throwAll(_ errors: [CocoaError]) throws {
    if errors.count == 1 { throw errors[0] }
    guard !errors.isEmpty else { return }
    let details = NSMutableArray(array: errors.map { $0 as NSError })
    throw coreData(.severalErrors, "Multiple validation errors occurred.", [NSDetailedErrorsKey: details])
  }
}
