import Foundation

// Members of relationships and lists, parts of texts.

extension PredicateExpressions.SequenceContains: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    let (list, member) = (try translator.read(sequence), try translator.operand(element))
    if case .range(let range) = list { return .condition(range.contains(member)) }
    let collection = list.operand
    if LHS.Output.self is any StringProtocol.Type { return .condition(collection.contains(by: .contains, member)) }
    guard case .value(.list(let values))? = collection.listed else {
      return .condition(.comparison(member.expression, by: .in, collection.node))
    }
    let plain = PredicateNode.comparison(member.node, by: .in, .value(.list(values)))
    guard let missing = member.missing else { return .condition(plain) }
    let isListed = values.contains { $0.isEqual(to: missing) }
    guard isListed, !values.contains(.null) else {
      return .condition(
        isListed || values.contains(.null) ? .comparison(member.expression, by: .in, .value(.list(values))) : plain)
    }
    return .condition(
      member.presence == nil
        ? .disjunction([plain, .comparison(member.node, by: .equal, .value(.null))])
        : .comparison(member.expression, by: .in, .value(.list(values))))
  }
}

extension Operand {
  fileprivate var listed: ExpressionNode? { if case .value(.list) = node { node } else { nil } }

  /// A text operator, which is false for nil.
  fileprivate func contains(by comparison: ComparisonNode.Operator, _ part: Operand) -> PredicateNode {
    part.constant == nil || constant != nil
      ? .comparison(expression, by: comparison, part.expression) : compared(by: comparison, to: part)
  }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    guard Base.Output.self is any StringProtocol.Type, Other.Output.self is any StringProtocol.Type else {
      throw SwiftExpressionError("contains(_:) of \(Base.Output.self)", "a store supports it only for strings.")
    }
    return .condition(try translator.operand(base).contains(by: .contains, translator.operand(other)))
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    guard Base.Output.self is any StringProtocol.Type, Prefix.Output.self is any StringProtocol.Type else {
      throw SwiftExpressionError("starts(with:) of \(Base.Output.self)", "a store supports it only for strings.")
    }
    return .condition(try translator.operand(base).contains(by: .beginsWith, translator.operand(prefix)))
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    .condition(try translator.holds(.any, of: sequence, variable: variable, test: test))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    .condition(try translator.holds(.all, of: sequence, variable: variable, test: test))
  }
}

extension PredicateExpressions.Filter: TranslatableExpression {
  func meaning(in translator: SwiftExpressionTranslator) throws(SwiftExpressionError) -> ExpressionMeaning {
    let collection = try translator.operand(sequence)
    let name = translator.newVariable()
    let test = try translator.read(filter, with: variable, as: .node(.variable(name))).condition.isTrue
    return .node(.subquery(collection.node, variable: name, test))
  }
}

extension SwiftExpressionTranslator {
  /// Whether a test holds for one member of a list or relationship, or for all.
  fileprivate func holds<List: PredicateExpression, Member, Test: PredicateExpression>(
    _ quantifier: ComparisonNode.Quantifier, of sequence: List, variable: PredicateExpressions.Variable<Member>,
    test: Test
  ) throws(SwiftExpressionError) -> PredicateNode {
    let collection = try operand(sequence)
    if case .value(.list(let members)) = collection.node {
      var nodes: [PredicateNode] = []
      for member in members { nodes.append(try read(test, with: variable, as: .node(.value(member))).condition.isTrue) }
      return quantifier == .any ? .disjunction(nodes) : .conjunction(nodes)
    }
    let name = newVariable()
    let condition = try read(test, with: variable, as: .node(.variable(name))).condition.isTrue
    if let simple = condition.quantified(quantifier, over: collection.node, variable: name) { return simple }
    let chosen = quantifier == .any ? condition : .negation(condition)
    let found = ExpressionNode.subquery(collection.node, variable: name, chosen).following(["@count"])
    return .comparison(found, by: quantifier == .any ? .greater : .equal, .value(.integer(0)))
  }
}

extension PredicateNode {
  /// Comparisons of a member's single values with constants, such as `ANY marks.weight > 3`; nil for anything more
  /// complex.
  fileprivate func quantified(
    _ quantifier: ComparisonNode.Quantifier, over collection: ExpressionNode, variable: String
  ) -> PredicateNode? {
    switch self {
    case .comparison(var comparison):
      guard comparison.quantifier == .one, case .path(.variable(variable), let path) = comparison.left,
        case .value = comparison.right, !path.contains(where: { $0.hasPrefix("@") }),
        case .keyPath(let start) = collection
      else { return nil }
      comparison.left = .keyPath(start + path)
      comparison.quantifier = quantifier
      return .comparison(comparison)
    case .or(let nodes) where quantifier == .any:
      let parts = nodes.compactMap { $0.quantified(quantifier, over: collection, variable: variable) }
      return parts.count == nodes.count ? .or(parts) : nil
    case .and(let nodes) where quantifier == .all:
      let parts = nodes.compactMap { $0.quantified(quantifier, over: collection, variable: variable) }
      return parts.count == nodes.count ? .and(parts) : nil
    default: return nil
    }
  }
}
