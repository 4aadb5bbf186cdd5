import Foundation
import ManagedModel
import RowStore

/// What must hold of an entity's objects before a save, found out once for all of them.
struct ValidationPlan {
  /// An attribute or to-one relationship that not every value may be saved in.
  struct SlotCheck {
    unowned(unsafe) let property: NSPropertyDescription
    let slot: Int
    let kind: SlotKind
    /// The whole numbers that the attribute's type has.
    let range: ClosedRange<Int64>
    let rules: [ValidationRule]
    let isRequired: Bool
  }

  let slots: [SlotCheck]
  /// The to-many relationships that may be too small or too large.
  let counted: [Int]
  /// Whether objects of a class that overrides `validateValue(_:forKey:)` are asked value by value.
  let asksForEachValue: Bool

  init(of layout: EntityLayout, objectClass: NSManagedObject.Type) {
    slots = layout.slots.indices.compactMap { Self.check(of: $0, in: layout) }
    counted = layout.toMany.indices.filter { layout.toMany[$0].relationship.isCounted }
    asksForEachValue = objectClass.overridesValueValidation
  }

  static func check(of slot: Int, in layout: EntityLayout) -> SlotCheck? {
    let property = layout.slots[slot].property
    let kind = layout.slots[slot].kind
    let rules = property.validationPredicates.enumerated().map { index, predicate in
      ValidationRule(
        predicate, warning: index < property.validationWarnings.count ? property.validationWarnings[index] : nil)
    }
    guard !property.isOptional || !rules.isEmpty || kind == .date || kind.range != .full else { return nil }
    return SlotCheck(
      property: property, slot: slot, kind: kind, range: kind.range, rules: rules, isRequired: !property.isOptional)
  }
}

extension NSRelationshipDescription {
  /// Whether the number of objects at the other end matters.
  fileprivate var isCounted: Bool { minCount > 0 || maxCount > 0 || !isOptional }
}

extension SlotKind {
  fileprivate var range: ClosedRange<Int64> {
    switch self {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    default: .full
    }
  }
}

extension ClosedRange<Int64> {
  fileprivate static let full = Int64.min...Int64.max
}

extension NSManagedObjectContext {
  func validationPlan(of object: NSManagedObject) -> ValidationPlan {
    let type = ObjectIdentifier(type(of: object))
    if let known = validations[object.layout.number], known.type == type { return known.plan }
    let plan = ValidationPlan(of: object.layout, objectClass: Swift.type(of: object))
    validations[object.layout.number] = (type, plan)
    return plan
  }
}
