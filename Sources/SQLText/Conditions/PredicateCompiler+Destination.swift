import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Conditions behind to-one relationships, asked of the destinations first.
///
/// `region.number < 5` over a join compares the number once for each quake, as SQLite, which does not know how many rows there
/// are, goes through the quakes. `ZREGION IN (SELECT …)` compares it once for each region and finds their quakes by the index
/// of the relationship. It is NULL where the relationship is nil, which a comparison with a value is there too. The members
/// of `region.quakes.@count > 5` are counted once for each region so.
extension PredicateCompiler {
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

  /// A to-one relationship and what is asked of its destination; nil unless a value there is compared with a constant in such
  /// a way that nil does not pass.
  fileprivate func behindRelationship(of layout: EntityLayout) -> (name: String, PredicateNode)? {
    guard case .comparison(var comparison) = self, comparison.quantifier == .one else { return nil }
    switch (comparison.left, comparison.right) {
    case (.keyPath(let path), .value(let value)):
      guard comparison.asksDestinations(path, value, of: layout) else { return nil }
      comparison.left = .keyPath(Array(path.dropFirst()))
      return (path[0], .comparison(comparison))
    case (.value(let value), .keyPath(let path)):
      guard comparison.asksDestinations(path, value, of: layout) else { return nil }
      comparison.right = .keyPath(Array(path.dropFirst()))
      return (path[0], .comparison(comparison))
    default: return nil
    }
  }
}

extension ComparisonNode {
  /// SQLite begins with the destinations by itself where an attribute of theirs must equal something, but not where a value
  /// that is worked out must.
  fileprivate func asksDestinations(_ path: [String], _ value: PredicateValue, of layout: EntityLayout) -> Bool {
    switch path.endBehindRelationship(of: layout) {
    case .attribute: comparison.refusesNil
    case .collected: comparison.refusesNil || comparison == .equal && value != .null
    case nil: false
    }
  }
}

/// What a path comes to that begins with to-one relationships.
private enum PathEnd {
  case attribute
  /// A value that is worked out from members.
  case collected
}

extension [String] {
  /// nil for a path that begins or ends otherwise.
  fileprivate func endBehindRelationship(of layout: EntityLayout) -> PathEnd? {
    var layout = layout
    for (place, name) in enumerated() {
      if let slot = layout.slot(named: name) {
        guard layout.slots[slot].kind == .toOne else { return place > 0 && place == count - 1 ? .attribute : nil }
        guard let destination = layout.slots[slot].relationship?.destinationEntity?.layout else { return nil }
        layout = destination
      } else {
        let isCollected = layout.toMany(named: name) != nil && dropFirst(place + 1).first?.hasPrefix("@") == true
        return place > 0 && isCollected ? .collected : nil
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
