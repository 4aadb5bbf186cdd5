import Foundation
import StrataManagedModel
import StrataRowStore

extension NSManagedObject {
  /// Returns the slots whose values differ from the committed ones; for an inserted object, those that are not nil.
  func changedSlots() -> [Int] {
    guard let page, life.isPending else { return [] }
    if let snapshot = edits?.snapshot {
      return layout.kinds.indices.filter {
        !page.isEqual(row: rowIndex, slot: $0, to: snapshot.page, row: snapshot.index)
      }
    }
    return life == .inserted ? layout.slots.indices.filter { !page.isNil(row: rowIndex, slot: $0) } : []
  }

  /// Whether the next save would write anything for the object. Unlike `hasChanges`, it ignores transient values and
  /// values that were set to what they already were.
  ///
  /// ```swift
  /// let depth = quake.depth
  /// quake.depth = depth
  /// print(quake.hasChanges, quake.hasPersistentChangedValues)  // true false
  /// ```
  public var hasPersistentChangedValues: Bool {
    changedSlots().contains { !layout.slots[$0].isTransient } || !changedLinks().isEmpty
  }

  /// Returns the stored to-many relationships whose members differ from the saved ones. Only an ordered relationship is read
  /// for the comparison: without the saved order, a move and its reversal look like a change.
  private func changedLinks() -> [Int] {
    layout.toMany.indices.filter { number in
      guard edits?.links[number]?.isChanged == true, !layout.transientToMany.contains(number) else { return false }
      if layout.toMany[number].relationship.isOrdered { resolveLinks(number) }
      guard let state = edits?.links[number] ?? nil else { return false }
      let (removed, added) = state.difference
      return state.isArranged || !removed.isEmpty || !added.isEmpty
    }
  }

  /// Returns the new values of the properties that changed since the object was last read or saved, by property name,
  /// without transient properties. Empty after a save.
  ///
  /// ```swift
  /// quake.magnitude = 6.2
  /// for (key, value) in quake.changedValues() {
  ///   let old = quake.committedValues(forKeys: [key])[key]
  ///   print(key, old ?? "", value)  // The old value and the new one.
  /// }
  /// ```
  public func changedValues() -> [String: Any] {
    var values: [String: Any] = [:]
    for slot in changedSlots() where !layout.slots[slot].isTransient {
      note(slot, in: &values, value: slotValue)
    }
    for number in changedLinks() {
      values[layout.toMany[number].name] = linkedCollection(number)
    }
    return values
  }

  /// Returns the values that were last read or saved, with `NSNull` for nil; empty for an inserted object.
  ///
  /// ```swift
  /// quake.region = nil
  /// let old = quake.committedValues(forKeys: ["region"])["region"]
  /// if let region = old as? Region {  // NSNull if it was nil before.
  ///   show(region.name)
  /// }
  /// ```
  /// - Parameter keys: the names of properties; nil for all persistent properties that have been read. To-many
  ///   relationships that are faults are then left out.
  public func committedValues(forKeys keys: [String]?) -> [String: Any] {
    materialize()
    guard let committed = committedRow else { return [:] }
    var values: [String: Any] = [:]
    for (slot, property) in layout.slots.enumerated()
    where !property.isTransient && keys?.contains(property.ownerName) ?? true {
      note(slot, in: &values) { value($0, in: committed) }
    }
    for (number, property) in layout.toMany.enumerated()
    where !property.relationship.isTransient
      && (keys?.contains(property.name) ?? !hasFault(forRelationshipNamed: property.name))
    {
      resolveLinks(number)
      values[property.name] = collection(edits?.links[number]?.base ?? [], toMany: number)
    }
    return values
  }

  func publicValue(of row: Row, slot: Int) -> Any? {
    switch row[slot] {
    case .null: nil
    case .integer(let value): NSNumber(value: value)
    case .boolean(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .string(let value): value
    case .uri(let value): URL(string: value)
    case .uuid(let value): value
    case .data(let value): Data(value)
    case .reference(let id): context?.publicID(id)
    }
  }

  func describe() -> String {
    let head = "<\(type(of: self)): \(Unmanaged.passUnretained(self).toOpaque())> (entity: \(entity.name ?? "")"
    let name = context == nil ? "no context" : "id: \(objectID)"
    guard life != .fault, let page else { return "\(head); \(name); data: <fault>)" }
    let values = layout.slots.indices.compactMap { slot -> String? in
      if let composite = layout.composite(of: slot) {
        guard slot == composite.slots.lowerBound else { return nil }
        return "\(composite.name) = \(compositeValue(composite).map(described) ?? "nil")"
      }
      let text: String
      if layout.slots[slot].kind == .toOne {
        let id = page.reference(row: rowIndex, slot: slot)
        text = id == .none ? "nil" : context.map { "\($0.publicID(id))" } ?? "\(id.key)"
      } else {
        text = slotValue(slot).map(described) ?? "nil"
      }
      return "\(layout.slots[slot].name) = \(text)"
    }
    return "\(head); \(name); data: {\(values.joined(separator: "; "))})"
  }
}

/// Returns a value as text. Foundation stops the program when it describes a date that is not a number.
package func described(_ value: Any) -> String {
  switch value {
  case let date as Date where date.timeIntervalSinceReferenceDate.isNaN: "nan"
  case let values as [String: Any]:
    "[" + values.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \(described($0.value))" }.joined(separator: ", ")
      + "]"
  default: "\(value)"
  }
}
