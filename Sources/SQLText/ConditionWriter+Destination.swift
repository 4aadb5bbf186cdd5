import ManagedModel
import Predicates
import RowStore

/// Conditions behind to-one relationships, asked of the destinations first.
///
/// `region.number < 5` over a join compares the number once for each quake, as SQLite, which does not know how many rows there
/// are, goes through the quakes. `ZREGION IN (SELECT …)` compares it once for each region and finds their quakes by the index
/// of the relationship. It is NULL where the relationship is nil, which a comparison with a value is there too.
extension ConditionWriter {
  /// A condition that says of some rows' destinations what can be said of them alone.
  func conditionAskingDestinations(_ node: PredicateNode, in scope: QueryScope) throws -> SQLStatement {
    if case .and(let nodes) = node, !nodes.isEmpty {
      return joined(try nodes.map { try conditionAskingDestinations($0, in: scope) }[...], " AND ")
    }
    guard let (name, condition) = node.behindRelationship(of: scope.layout), let slot = scope.layout.slot(named: name),
      let column = schema.table(of: scope.layout).columns[slot]
    else { return try self.condition(node, in: scope) }
    let destination = schema.model.layout(number: column.destination)
    let inner = scope.destinations(destination, in: schema.table(of: destination).name)
    let test = try conditionAskingDestinations(condition, in: inner)
    let relationship = scope.column(column.name, ofObject: scope.key, in: schema.table(of: scope.layout).name)
    return "\(relationship) IN (SELECT \(inner.key) FROM \(inner.from) WHERE \(test))"
  }
}

extension PredicateNode {
  /// Whether a comparison that must hold is one of a value behind a to-one relationship.
  func asksDestinations(of layout: EntityLayout) -> Bool {
    switch self {
    case .and(let nodes): nodes.contains { $0.asksDestinations(of: layout) }
    case .comparison: behindRelationship(of: layout) != nil
    case .constant, .or, .not: false
    }
  }

  /// A to-one relationship and what is asked of its destination; nil unless an attribute there is compared with a constant
  /// in such a way that nil does not pass. SQLite begins with the destinations by itself where they must equal something.
  fileprivate func behindRelationship(of layout: EntityLayout) -> (name: String, PredicateNode)? {
    guard case .comparison(var comparison) = self, comparison.quantifier == .one, comparison.comparison.refusesNil
    else { return nil }
    switch (comparison.left, comparison.right) {
    case (.keyPath(let path), .value):
      guard path.leadsBehindRelationship(of: layout) else { return nil }
      comparison.left = .keyPath(Array(path.dropFirst()))
      return (path[0], .comparison(comparison))
    case (.value, .keyPath(let path)):
      guard path.leadsBehindRelationship(of: layout) else { return nil }
      comparison.right = .keyPath(Array(path.dropFirst()))
      return (path[0], .comparison(comparison))
    default: return nil
    }
  }
}

extension [String] {
  /// Whether to-one relationships lead to an attribute.
  fileprivate func leadsBehindRelationship(of layout: EntityLayout) -> Bool {
    var layout = layout
    for name in dropLast() {
      guard let slot = layout.slot(named: name), layout.slots[slot].kind == .toOne,
        let destination = layout.slots[slot].relationship?.destinationEntity?.layout
      else { return false }
      layout = destination
    }
    guard count > 1, let name = last, let slot = layout.slot(named: name) else { return false }
    return layout.slots[slot].kind != .toOne
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
