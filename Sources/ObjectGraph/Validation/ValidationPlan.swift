import Foundation
import StrataManagedModel
import StrataRowStore

/// The validation checks of an entity's objects, determined once for all of them.
final class ValidationPlan: @unchecked Sendable {
  // Sendable: immutable, and contexts on all queues evaluate the predicates of a frozen model anyway.

  /// The part of a check that needs only the slot, without counting references.
  struct QuickCheck {
    let slot: Int
    let kind: SlotKind
    let lowest: Int64
    let highest: Int64
    let isRequired: Bool
    let hasRules: Bool

    init(_ check: SlotCheck) {
      (slot, kind, isRequired, hasRules) = (check.slot, check.kind, check.isRequired, !check.rules.isEmpty)
      (lowest, highest) = (check.range.lowerBound, check.range.upperBound)
    }

    /// Whether the value is certainly valid; if false, it must be checked fully.
    @inline(__always)
    func isFine(_ page: RowPage, row: Int) -> Bool {
      if hasRules || kind == .object { return false }
      if page.isNil(row: row, slot: slot) { return !isRequired }
      switch kind {
      case .integer16, .integer32:
        return lowest <= page.integer(row: row, slot: slot) && page.integer(row: row, slot: slot) <= highest
      case .date: return page.double(row: row, slot: slot).isFinite
      default: return true
      }
    }
  }

  /// An attribute or to-one relationship for which some values are invalid.
  struct SlotCheck {
    let name: String
    let slot: Int
    let kind: SlotKind
    /// The integers that the attribute's type can hold.
    let range: ClosedRange<Int64>
    let rules: [ValidationRule]
    let isRequired: Bool
    /// The slots of the enclosing composite attribute: if it is nil, none of its elements is required.
    let around: Range<Int>?
  }

  /// A composite attribute for which some values are invalid, apart from its elements' own checks.
  struct CompositeCheck {
    let composite: CompositeAttribute
    let rules: [ValidationRule]
    let isRequired: Bool
    /// The slots of the enclosing composite attribute.
    let around: Range<Int>?
  }

  /// The class of the objects.
  private let objectClass: ObjectIdentifier
  let slots: [SlotCheck]
  /// The same checks, in the same order.
  let quick: [QuickCheck]
  let composites: [CompositeCheck]
  /// The to-many relationships with a minimum or maximum count.
  let counted: [Int]
  /// Whether the class may override `validateValue(_:forKey:)`, so that objects are validated value by value.
  let validatesEachValue: Bool

  /// Whether the program may have code that is called for an object of a save after a merge policy has changed any of them.
  let callsProgram: Bool

  /// Whether the object itself allows any links that others saved: no count is limited.
  var allowsAnyLinks: Bool { counted.isEmpty && !callsProgram }

  /// Whether the plan is for the class of an object, whose entity it is for.
  func fits(_ object: NSManagedObject) -> Bool { objectClass == ObjectIdentifier(type(of: object)) }

  /// Whether every value of a row is certainly valid; if false, each must be checked fully.
  func areFine(_ page: RowPage, row: Int) -> Bool { quick.allSatisfy { $0.isFine(page, row: row) } }

  init(of layout: EntityLayout, _ entity: NSEntityDescription, objectClass: NSManagedObject.Type) {
    self.objectClass = ObjectIdentifier(objectClass)
    let properties = entity.propertiesByName
    slots = layout.slots.indices.compactMap { slot in
      let name = layout.slots[slot].name
      return Self.check(of: slot, in: layout, properties[name] ?? entity.property(at: name))
    }
    quick = slots.map(QuickCheck.init)
    composites = layout.composites.flatMap { Self.checks(of: $0, of: entity, in: nil) }
    counted = layout.toMany.indices.filter { layout.toMany[$0].relationship.isCounted }
    validatesEachValue = objectClass.mayOverrideValueValidation
    callsProgram = validatesEachValue || objectClass.mayHaveSaveHooks
  }

  /// - Parameter property: the slot's property, or element of a composite attribute.
  private static func check(of slot: Int, in layout: EntityLayout, _ property: NSPropertyDescription?) -> SlotCheck? {
    let (kind, isRequired) = (layout.slots[slot].kind, !layout.slots[slot].isOptional)
    let rules = rules(of: property)
    guard isRequired || !rules.isEmpty || kind == .date || kind.range != .full else { return nil }
    return SlotCheck(
      name: layout.slots[slot].name, slot: slot, kind: kind, range: kind.range, rules: rules,
      isRequired: isRequired, around: layout.composite(of: slot)?.innermost(at: slot).slots)
  }

  /// Returns the checks of a composite attribute and of those nested in it.
  static func checks(
    of composite: CompositeAttribute, of entity: NSEntityDescription, in around: Range<Int>?
  ) -> [CompositeCheck] {
    let attribute = entity.property(at: composite.name)
    let check = CompositeCheck(
      composite: composite, rules: rules(of: attribute), isRequired: attribute?.isOptional == false, around: around)
    let own = check.isRequired || !check.rules.isEmpty ? [check] : []
    return own + composite.inner.flatMap { checks(of: $0, of: entity, in: composite.slots) }
  }

  private static func rules(of property: NSPropertyDescription?) -> [ValidationRule] {
    guard let property else { return [] }
    return property.validationPredicates.enumerated().map { index, predicate in
      ValidationRule(
        predicate, warning: index < property.validationWarnings.count ? property.validationWarnings[index] : nil)
    }
  }
}

extension CompositeAttribute {
  /// Returns the innermost composite attribute that contains a slot.
  fileprivate func innermost(at slot: Int) -> CompositeAttribute {
    inner.first { $0.slots.contains(slot) }?.innermost(at: slot) ?? self
  }
}

extension RelationshipLayout {
  /// Whether the number of objects at the other end is limited.
  fileprivate var isCounted: Bool { minCount > 0 || maxCount > 0 }
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
    let number = object.layout.number
    if let known = sourceState.validationPlans[number], known.fits(object) { return known }
    let plan = SharedModelCaches.of(model).validationPlan(of: object)
    sourceState.validationPlans[number] = plan
    return plan
  }
}
