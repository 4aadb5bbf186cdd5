import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Numbers compared with string attributes become strings: a database compares them so, and programs use `code IN {9,
/// 10}` with codes made of digits.
extension PredicateNode {
  /// Returns the filter of a fetch with such numbers replaced by strings.
  func spellingNumbers(in layout: EntityLayout) -> PredicateNode {
    switch self {
    case .constant: return self
    case .comparison(let comparison):
      guard let spelled = comparison.spellingNumbers(in: layout) else { return self }
      return .comparison(spelled)
    case .and(let nodes): return .and(nodes.map { $0.spellingNumbers(in: layout) })
    case .or(let nodes): return .or(nodes.map { $0.spellingNumbers(in: layout) })
    case .not(let node): return .not(node.spellingNumbers(in: layout))
    }
  }
}

extension ComparisonNode {
  /// nil if there is no number to replace.
  fileprivate func spellingNumbers(in layout: EntityLayout) -> ComparisonNode? {
    guard [.equal, .notEqual, .in].contains(comparison) else { return nil }
    switch (left, right) {
    case (.keyPath(let path), .value(let value)) where value.hasNumber && layout.isText(path):
      return ComparisonNode(left, comparison, .value(value.spelled), quantifier: quantifier, options: options)
    case (.value(let value), .keyPath(let path)) where comparison != .in && value.hasNumber && layout.isText(path):
      return ComparisonNode(.value(value.spelled), comparison, right, quantifier: quantifier, options: options)
    default: return nil
    }
  }
}

extension PredicateValue {
  fileprivate var hasNumber: Bool {
    switch self {
    case .integer, .real, .decimal: true
    case .list(let members): members.contains(where: \.hasNumber)
    default: false
    }
  }

  fileprivate var spelled: PredicateValue {
    switch self {
    case .integer, .real, .decimal: CastType.string.cast(self)
    case .list(let members): .list(members.map(\.spelled))
    default: self
    }
  }
}

extension EntityLayout {
  /// Whether a path ends at strings; the results of collection operators do not count.
  fileprivate func isText(_ path: [String]) -> Bool {
    let names = flattened(path)
    guard !names.contains(where: { $0.hasPrefix("@") }), let name = names.last,
      let owner = destination(of: Array(names.dropLast())),
      let slot = owner.slot(named: name)
    else { return false }
    return owner.slots[slot].kind == .string
  }
}
