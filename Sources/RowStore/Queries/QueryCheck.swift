import StrataManagedModel
import StrataPredicates

/// Rejects queries that name something the store does not have before any row is read: the same ones SQL cannot
/// express.
package struct QueryCheck {
  private static let operators: Set<String> = ["@count", "@sum", "@avg", "@min", "@max"]

  private let layout: EntityLayout

  package init(layout: EntityLayout) { self.layout = layout }

  /// - Throws: `.unsupported`, which names the part.
  package static func check(_ query: FetchQuery) throws(StoreError) {
    let check = QueryCheck(layout: query.layout)
    for path in (query.filter?.keyPaths ?? []).sorted(by: { $0.joined() < $1.joined() }) { try check.filter(path) }
    if let name = query.filter?.variables.min() {
      throw StoreError(.unsupported, "The filter for \(query.layout.name) has the variable $\(name) without a value.")
    }
    for key in query.sort { _ = try check.sortSlots(key) }
  }

  /// Checks the names in an aggregate query.
  package static func check(_ query: AggregateQuery) throws(StoreError) {
    let check = QueryCheck(layout: query.rows.layout)
    let columns = query.columns.map(\.expression) + query.groups
    let paths = columns.flatMap(\.keyPaths) + Array(query.having?.keyPaths ?? [])
    for path in paths where path != ["objectID"] { try check.filter(path) }
    for case .key(let key) in query.sort { _ = try check.sortSlots(key) }
  }

  private func filter(_ path: [String]) throws(StoreError) {
    var layout = layout
    for (index, name) in path.enumerated() {
      if name.hasPrefix("@") {
        guard Self.operators.contains(name) else {
          throw refusal(name, path: path, reason: "there is no such operator")
        }
        if name == "@count" { return }
        continue
      }
      if name == "objectID" || name == "self" || name == "SELF" { continue }
      if name == "entity", layout.slot(named: name) == nil, ["", "name"].contains(path[(index + 1)...].joined()) {
        return
      }
      let next = try step(name, in: layout, path: path)
      guard let next else {
        let isValue = layout.slot(named: name).map { layout.slots[$0].kind } == .transformable
        if index + 1 < path.count, !isValue { throw refusal(name, path: path, reason: "it is not a relationship") }
        return
      }
      layout = next
    }
  }

  /// The slots along a sort key's path.
  package func sortSlots(_ key: SortKey) throws(StoreError) -> [Int] {
    var layout = layout
    var slots: [Int] = []
    for (index, name) in key.keyPath.enumerated() {
      let next = try step(name, in: layout, path: key.keyPath)
      guard let slot = layout.slot(named: name) else {
        throw refusal(name, path: key.keyPath, reason: "rows cannot be sorted by a to-many relationship")
      }
      slots.append(slot)
      guard let next else {
        if index + 1 < key.keyPath.count { throw refusal(name, path: key.keyPath, reason: "it is not a relationship") }
        break
      }
      layout = next
    }
    return slots
  }

  /// The destination's layout; nil for an attribute.
  private func step(_ name: String, in layout: EntityLayout, path: [String]) throws(StoreError) -> EntityLayout? {
    if let slot = layout.slot(named: name) {
      guard !layout.slots[slot].isTransient else {
        throw refusal(name, path: path, reason: "a transient property is not stored")
      }
      return layout.slots[slot].relationship?.destination
    }
    guard let number = layout.toMany(named: name) else {
      guard layout.composite(named: name) == nil else {
        throw refusal(name, path: path, reason: "a composite attribute has no column; name one of its elements")
      }
      throw StoreError(
        .unsupported, "The entity '\(layout.name)' has no property '\(name)', so a fetch cannot use it.")
    }
    return layout.toMany[number].relationship.destination
  }

  private func refusal(_ name: String, path: [String], reason: String) -> StoreError {
    StoreError(
      .unsupported,
      "A fetch of \(layout.name) cannot use '\(name)' in '\(path.joined(separator: "."))': \(reason).")
  }
}
