import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Conditions about the destinations of to-one relationships, evaluated once for each destination.
///
/// `region.number < 5` over a join compares the number once for each quake, because an engine that does not know how
/// many rows there are (SQLite) goes through the quakes. `ZREGION IN (SELECT …)` compares it once for each region and
/// finds their quakes by the index of the relationship. It is NULL where the relationship is nil, as a comparison with
/// a value is. Likewise the members of `region.quakes.@count > 5` are counted once for each region.
extension PredicateCompiler {
  /// A condition that tests destinations in subqueries where it can.
  func conditionAskingDestinations(_ node: PredicateNode, in scope: QueryScope) throws -> SQLStatement {
    if case .and(let nodes) = node, !nodes.isEmpty {
      return joined(try nodes.map { try conditionAskingDestinations($0, in: scope) }, isConjunction: true)
    }
    guard let (name, condition) = node.behindRelationship(of: scope.layout), let slot = scope.layout.slot(named: name),
      let column = schema.table(of: scope.layout).columns[slot]
    else { return try self.condition(node, in: scope) }
    let destination = schema.model.layout(number: column.destination)
    let inner = scope.destinations(destination)
    let test = try conditionAskingDestinations(condition, in: inner)
    let relationship = scope.column(column.name, ofObject: scope.key, entity: scope.layout)
    return "\(relationship) IN (SELECT \(inner.key) FROM \(inner.fromClause) WHERE \(test))"
  }
}

extension PredicateNode {
  /// Whether a comparison that must hold is about a value behind a to-one relationship.
  func asksDestinations(of layout: EntityLayout) -> Bool {
    switch self {
    case .and(let nodes): nodes.contains { $0.asksDestinations(of: layout) }
    case .comparison: behindRelationship(of: layout) != nil
    case .constant, .or, .not: false
    }
  }

  /// A to-one relationship and the condition on its destination; nil unless the comparison is one with a constant that
  /// nil does not pass.
  fileprivate func behindRelationship(of layout: EntityLayout) -> (name: String, PredicateNode)? {
    guard case .comparison(var comparison) = self, comparison.quantifier == .one else { return nil }
    switch (comparison.left, comparison.right) {
    case (.keyPath(let path), .value(let value)):
      guard comparison.asksDestinations(at: path, for: value, of: layout) else { return nil }
      comparison.left = .keyPath(Array(path.dropFirst()))
      return (path[0], .comparison(comparison))
    case (.value(let value), .keyPath(let path)):
      guard comparison.asksDestinations(at: path, for: value, of: layout) else { return nil }
      comparison.right = .keyPath(Array(path.dropFirst()))
      return (path[0], .comparison(comparison))
    default: return nil
    }
  }
}

extension ComparisonNode {
  /// SQLite starts from the destinations on its own if one of their attributes must equal a constant, but not if a
  /// computed value must, or if the attribute must be in a list.
  fileprivate func asksDestinations(at path: [String], for value: PredicateValue, of layout: EntityLayout) -> Bool {
    switch path.endBehindRelationship(of: layout) {
    case .attribute: comparison.refusesNil || comparison == .in && value.isListWithoutNull
    case .collected: comparison.refusesNil || comparison == .equal && value != .null
    case nil: false
    }
  }
}

extension PredicateValue {
  fileprivate var isListWithoutNull: Bool { if case .list(let values) = self { !values.holdNull } else { false } }
}

/// The end of a path that begins with to-one relationships.
private enum PathEnd {
  case attribute
  /// An aggregate of members.
  case collected
}

extension [String] {
  /// nil for any other path.
  fileprivate func endBehindRelationship(of layout: EntityLayout) -> PathEnd? {
    var layout = layout
    for (index, name) in enumerated() {
      if let slot = layout.slot(named: name) {
        guard let relationship = layout.slots[slot].relationship else {
          return index > 0 && index == count - 1 ? .attribute : nil
        }
        layout = relationship.destination
      } else {
        let isCollected = layout.toMany(named: name) != nil && dropFirst(index + 1).first?.hasPrefix("@") == true
        return index > 0 && isCollected ? .collected : nil
      }
    }
    return nil
  }
}

extension ComparisonNode.Operator {
  fileprivate var refusesNil: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: true
    case .contains, .beginsWith, .endsWith, .like, .matches: true
    case .equal, .notEqual, .in: false
    }
  }
}
