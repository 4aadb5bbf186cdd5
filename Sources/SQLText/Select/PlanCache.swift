import StrataManagedModel
import StrataPredicates
import StrataRowStore
import Synchronization

/// Statements that were written before, by the shape of their plan: writing one takes 2 µs or more, a noticeable part
/// of a look-up by an indexed attribute.
///
/// A plan is cached if its predicate compares key paths with constants, joined by AND, OR and NOT: then each constant
/// is one binding, in the order of the text. Other predicates are written each time; their constants are bindings too,
/// so the engine still finds their statements prepared.
final class PlanCache: Sendable {
  enum Query: Hashable { case rows, packed, ids, unorderedIDs, count }

  /// What a constant is compared with, which decides how it is bound.
  enum Target: Sendable {
    case column(SlotKind, ComparisonNode.Options)
    case object(EntityLayout)
    /// A pattern, bound as it is: the function that takes it folds it.
    case pattern
  }

  private final class Template: Sendable {
    let query: Query
    /// The plan that the statement was written for; its constants do not matter.
    let plan: FetchQuery
    let text: String
    let shape: RowShape?
    let targets: [Target]

    init(query: Query, plan: FetchQuery, text: String, shape: RowShape?, targets: [Target]) {
      self.query = query
      self.plan = plan
      self.text = text
      self.shape = shape
      self.targets = targets
    }
  }

  private static let mostTemplates = 1_000

  private let conditions: PredicateCompiler
  private let state = Mutex(State())

  private struct State {
    var templates: [Int: Template] = [:]
    /// The most recent one, which is usually wanted again: comparing two plans costs a third of hashing one.
    var last: Template?
  }

  init(conditions: PredicateCompiler) { self.conditions = conditions }

  /// The statement for a plan; nil if none of its shape is cached.
  func statement(for plan: FetchQuery, _ query: Query) throws -> (SQLStatement, RowShape?)? {
    guard let template = template(for: plan, query) else { return nil }
    var bindings: [StoredValue] = []
    bindings.reserveCapacity(template.targets.count + 2)
    var areBound = true
    try plan.filter?.forEachComparedConstant { value, _, _ in
      guard let bound = try conditions.storedValue(value, with: template.targets[bindings.count]) else {
        areBound = false
        bindings.append(.null)
        return
      }
      bindings.append(bound)
    }
    guard areBound else { return nil }
    if plan.hasWindow { bindings.append(plan.limitBinding(conditions.dialect)) }
    if plan.offset > 0 { bindings.append(.integer(Int64(plan.offset))) }
    return (SQLStatement(template.text, bindings), template.shape)
  }

  private func template(for plan: FetchQuery, _ query: Query) -> Template? {
    if let last = state.withLock({ $0.last }), last.query == query, last.plan.hasShape(of: plan) { return last }
    guard let hash = Self.shapeHash(of: plan, query), let template = state.withLock({ $0.templates[hash] }),
      template.query == query, template.plan.hasShape(of: plan)
    else { return nil }
    state.withLock { $0.last = template }
    return template
  }

  func keep(_ statement: SQLStatement, shape: RowShape?, for plan: FetchQuery, query: Query) throws {
    guard let hash = Self.shapeHash(of: plan, query) else { return }
    var targets: [Target] = []
    var count = 0
    try plan.filter?.forEachComparedConstant { _, side, comparison in
      count += 1
      if let target = try conditions.target(of: side, in: comparison, plan.layout) { targets.append(target) }
    }
    guard targets.count == count,
      statement.bindings.count == count + plan.windowBindings(conditions.dialect).count
    else { return }
    let template = Template(query: query, plan: plan, text: statement.text, shape: shape, targets: targets)
    state.withLock { state in
      if state.templates.count >= Self.mostTemplates { state.templates.removeAll() }
      state.templates[hash] = template
    }
  }

  /// nil for a plan that cannot be cached.
  private static func shapeHash(of plan: FetchQuery, _ query: Query) -> Int? {
    var hasher = Hasher()
    // Values of our own types directly: `combine` looks up their conformance first.
    query.hash(into: &hasher)
    hasher.combine(plan.layout.number)
    hasher.combine(plan.includesSubentities)
    hasher.combine(plan.sort.count)
    for key in plan.sort {
      for name in key.keyPath { hasher.combine(name) }
      hasher.combine(key.isAscending)
      hasher.combine(key.comparison.rawValue)
    }
    hasher.combine(plan.limit > 0)
    hasher.combine(plan.offset > 0)
    if let filter = plan.filter, !filter.hashShape(into: &hasher) { return nil }
    return hasher.finalize()
  }
}

extension FetchQuery {
  fileprivate func hasShape(of other: FetchQuery) -> Bool {
    guard layout === other.layout, includesSubentities == other.includesSubentities, sort == other.sort,
      (limit > 0) == (other.limit > 0), (offset > 0) == (other.offset > 0)
    else { return false }
    return switch (filter, other.filter) {
    case (let filter?, let other?): filter.hasShape(of: other)
    case (nil, nil): true
    default: false
    }
  }

  /// Whether the statement must order the rows: they have an order other than that of their keys, or the order decides
  /// which are wanted. Otherwise the reader sorts them by key.
  package var hasOwnOrder: Bool { !sort.isEmpty || hasWindow }

  /// Whether only some of the rows may be wanted.
  package var hasWindow: Bool { limit > 0 || offset > 0 }

  /// The values of LIMIT and OFFSET, as far as the statement has them.
  func windowBindings(_ dialect: any SQLDialect) -> [StoredValue] {
    guard hasWindow else { return [] }
    let limit = limitBinding(dialect)
    return offset > 0 ? [limit, .integer(Int64(offset))] : [limit]
  }

  fileprivate func limitBinding(_ dialect: any SQLDialect) -> StoredValue {
    limit > 0 ? .integer(Int64(limit)) : dialect.noLimit
  }
}

extension PredicateCompiler {
  fileprivate func storedValue(_ value: PredicateValue, with target: PlanCache.Target) throws -> StoredValue? {
    switch target {
    case .column(let kind, let options):
      storedValue(value, ofKind: kind, options: options).flatMap { dialect.comparable($0, with: kind) }
    case .object(let layout): try storedValue(value, comparedWith: .object(key: "", layout), options: [])
    case .pattern: value.text.map(StoredValue.text)
    }
  }

  fileprivate func target(
    of side: ExpressionNode, in comparison: ComparisonNode, _ layout: EntityLayout
  ) throws -> PlanCache.Target? {
    var operand = try operand(side, in: QueryScope(of: layout, in: schema))
    if case .members(let members) = operand, comparison.quantifier != .one { operand = members.member }
    if comparison.comparison == .like || comparison.comparison == .matches { return .pattern }
    switch operand {
    case .column, .derived: return .column(operand.boundKind, comparison.options)
    case .object(_, let layout), .derivedObject(_, let layout): return .object(layout)
    case .constant, .list, .members: return nil
    }
  }
}
