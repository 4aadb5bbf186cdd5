import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Constants compared with attributes take the attribute's type, as they do in a database: programs use `code IN {9, 10}`
/// with codes made of digits, `id == %@` with a UUID's string, and `count == %@` with a text from a field.
extension PredicateNode {
  /// Returns the filter of a fetch with such constants replaced.
  func adaptingConstants(to layout: EntityLayout) -> PredicateNode {
    switch self {
    case .constant: return self
    case .comparison(let comparison):
      guard let adapted = comparison.adaptingConstants(to: layout) else { return self }
      return .comparison(adapted)
    case .and(let nodes): return .and(nodes.map { $0.adaptingConstants(to: layout) })
    case .or(let nodes): return .or(nodes.map { $0.adaptingConstants(to: layout) })
    case .not(let node): return .not(node.adaptingConstants(to: layout))
    }
  }
}

extension ComparisonNode {
  /// Returns nil if the comparison stays as it is.
  fileprivate func adaptingConstants(to layout: EntityLayout) -> ComparisonNode? {
    switch (left, right) {
    case (.keyPath(let path), .value(let value)):
      guard let new = adapted(value, at: path, in: layout) else { return nil }
      return ComparisonNode(left, comparison, .value(new), quantifier: quantifier, options: options)
    case (.value(let value), .keyPath(let path)) where comparison != .in:
      guard let new = adapted(value, at: path, in: layout) else { return nil }
      return ComparisonNode(.value(new), comparison, right, quantifier: quantifier, options: options)
    default: return nil
    }
  }

  private func adapted(_ value: PredicateValue, at path: [String], in layout: EntityLayout) -> PredicateValue? {
    guard value.isAdaptable, let target = target(of: path, in: layout), value.differs(from: target) else { return nil }
    return value.adapted(to: target)
  }

  /// The type of the constants that an attribute is compared with by this operator; nil if they stay as they are.
  private func target(of path: [String], in layout: EntityLayout) -> CastType? {
    let isEquality: Bool
    switch comparison {
    case .equal, .notEqual, .in: isEquality = true
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: isEquality = false
    default: return nil
    }
    switch layout.kind(at: path) {
    case .string: return isEquality ? .string : nil
    case .uuid: return isEquality ? .uuid : nil
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal: return .number
    default: return nil
    }
  }
}

extension PredicateValue {
  /// Whether the value is, or contains, a number or a text.
  fileprivate var isAdaptable: Bool {
    switch self {
    case .integer, .real, .decimal, .string: true
    case .list(let members): members.contains(where: \.isAdaptable)
    default: false
    }
  }

  /// Whether the value, or a member of the list, is to be converted to the type of an attribute.
  fileprivate func differs(from type: CastType) -> Bool {
    switch (self, type) {
    case (.list(let members), _): members.contains { $0.differs(from: type) }
    case (.integer, .string), (.real, .string), (.decimal, .string), (.string, .uuid), (.string, .number): true
    default: false
    }
  }

  /// Returns the value in the type of an attribute. Text that is not a UUID or a number stays text, which equals none.
  fileprivate func adapted(to type: CastType) -> PredicateValue {
    if case .list(let members) = self { return .list(members.map { $0.adapted(to: type) }) }
    guard differs(from: type) else { return self }
    let new = type.cast(self)
    return new == .null ? self : new
  }
}

extension EntityLayout {
  /// The kind of the attribute at the end of a path; nil for a path with a collection operator.
  fileprivate func kind(at path: [String]) -> SlotKind? {
    // Most paths are a single name.
    if path.count == 1, let slot = slot(named: path[0]) { return slots[slot].kind }
    let names = flattened(path)
    guard !names.contains(where: { $0.hasPrefix("@") }), let name = names.last,
      let owner = destination(of: Array(names.dropLast())),
      let slot = owner.slot(named: name)
    else { return nil }
    return owner.slots[slot].kind
  }
}
