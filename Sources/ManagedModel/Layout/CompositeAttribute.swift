import Foundation

/// A composite attribute in a row: its elements have consecutive slots of their own.
///
/// Stores, queries and conflicts know only the slots, under names like `magnitude.richter`. Only the program's
/// interface presents them as one attribute with a dictionary value.
package struct CompositeAttribute: Sendable {
  package enum Element: Sendable {
    case slot(Int)
    case composite(CompositeAttribute)
  }

  /// The path from the entity: `magnitude.felt`.
  package let name: String
  package let slots: Range<Int>
  /// By name.
  package let elements: [(key: String, element: Element)]

  /// Appends the slots of an entity's attribute.
  init(_ attribute: NSCompositeAttributeDescription, declarer: Int, in slots: inout [PropertySlot]) {
    self.init(
      attribute, of: attribute, named: attribute.name, isTransient: attribute.isTransient, declarer: declarer,
      in: &slots)
  }

  private init(
    _ attribute: NSCompositeAttributeDescription, of owner: NSCompositeAttributeDescription, named name: String,
    isTransient: Bool, declarer: Int, in slots: inout [PropertySlot]
  ) {
    self.name = name
    let first = slots.count
    let sorted = attribute.elements.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    var elements: [(key: String, element: Element)] = []
    for element in sorted {
      let path = "\(name).\(element.name)"
      if let inner = element as? NSCompositeAttributeDescription {
        let composite = CompositeAttribute(
          inner, of: owner, named: path, isTransient: isTransient || inner.isTransient, declarer: declarer, in: &slots)
        elements.append((inner.name, .composite(composite)))
      } else {
        elements.append((element.name, .slot(slots.count)))
        slots.append(PropertySlot(element, of: owner, named: path, isTransient: isTransient, declarer: declarer))
      }
    }
    self.elements = elements
    self.slots = first..<slots.count
  }

  /// The attribute and those nested in it.
  package var family: [CompositeAttribute] { [self] + inner.flatMap(\.family) }

  /// The composite attributes among the elements.
  package var inner: [CompositeAttribute] {
    elements.compactMap { if case .composite(let composite) = $0.element { composite } else { nil } }
  }

  /// Returns the values of the non-nil elements by name; nil if all elements are nil.
  /// - Parameter value: returns the value of a slot.
  package func dictionary(_ value: (Int) -> Any?) -> [String: Any]? {
    var values: [String: Any] = [:]
    for (key, element) in elements {
      switch element {
      case .slot(let slot): values[key] = value(slot)
      case .composite(let composite): values[key] = composite.dictionary(value)
      }
    }
    return values.isEmpty ? nil : values
  }

  /// Splits a dictionary: passes every slot with its value, or nil if the dictionary has no value for it.
  /// - Parameters:
  ///   - values: a dictionary; nil or NSNull for none.
  ///   - refusal: creates the error for a value that is not a dictionary, or that has an unknown key, from the
  ///     attribute's path and a reason.
  package func spread<Failure: Error>(
    _ values: Any?, refusal: (_ path: String, _ reason: String) -> Failure,
    take: (_ slot: Int, _ value: Any?) throws(Failure) -> Void
  ) throws(Failure) {
    let given = values.flatMap { $0 is NSNull ? nil : $0 }
    guard let values = given.map({ $0 as? [String: Any] }) ?? [:] else {
      let value = given ?? NSNull()
      throw refusal(name, "desired type = NSDictionary; given type = \(type(of: value)); value = \(value)")
    }
    if let key = values.keys.filter({ key in !elements.contains { $0.key == key } }).min() {
      let keys = elements.map(\.key).joined(separator: ", ")
      throw refusal(name, "the composite attribute has no element '\(key)'; its elements are \(keys)")
    }
    for (key, element) in elements {
      switch element {
      case .slot(let slot): try take(slot, values[key].flatMap { $0 is NSNull ? nil : $0 })
      case .composite(let composite): try composite.spread(values[key], refusal: refusal, take: take)
      }
    }
  }
}
