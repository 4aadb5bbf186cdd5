import StrataManagedModel
import StrataPredicates
import StrataRowStore
import Synchronization

/// The statements of plans that were written before, found by the plan's shape: writing one takes 2 µs and more, which
/// a look-up by an indexed attribute would notice.
///
/// Only plans are kept whose predicate compares key paths with constants, joined by AND, OR and NOT: each constant is
/// one binding there, in the order of the text. Predicates with other expressions are written each time; their constants
/// are bindings too, so that the engine has their statements prepared.
final class PlanCache: Sendable {
  enum Query: Hashable { case rows, packed, ids, unorderedIDs, count }

  /// What a constant is compared with, which says how it is bound.
  enum Target: Sendable {
    case column(SlotKind, ComparisonNode.Options)
    case object(EntityLayout)
    /// The text as it is, for a function that folds it.
    case pattern
  }

  private final class Template: Sendable {
    let query: Query
    /// The plan that the statement was written for, whose constants do not matter.
    let plan: FetchQuery
    let text: String
    let shape: RowShape?
    let targets: [Target]

    init(_ query: Query, _ plan: FetchQuery, text: String, shape: RowShape?, targets: [Target]) {
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
    /// The one that was used last, which is mostly wanted again: comparing two plans costs a third of hashing one.
    var last: Template?
  }

  init(conditions: PredicateCompiler) { self.conditions = conditions }

  /// The statement for a plan; nil if none of its shape was kept.
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
    if plan.hasWindow { bindings.append(plan.limitBinding) }
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

  /// Keeps a statement that was written for a plan.
  func keep(_ statement: SQLStatement, _ shape: RowShape?, for plan: FetchQuery, _ query: Query) throws {
    guard let hash = Self.shapeHash(of: plan, query) else { return }
    var targets: [Target] = []
    var count = 0
    try plan.filter?.forEachComparedConstant { _, side, comparison in
      count += 1
      if let target = try conditions.target(of: side, comparison, plan.layout) { targets.append(target) }
    }
    guard targets.count == count, statement.bindings.count == count + plan.windowBindings.count else { return }
    let template = Template(query, plan, text: statement.text, shape: shape, targets: targets)
    state.withLock { state in
      if state.templates.count >= Self.mostTemplates { state.templates.removeAll() }
      state.templates[hash] = template
    }
  }

  /// nil for a plan whose statements are not kept.
  private static func shapeHash(of plan: FetchQuery, _ query: Query) -> Int? {
    var hasher = Hasher()
    hasher.combine(query)
    hasher.combine(plan.layout.number)
    hasher.combine(plan.includesSubentities)
    hasher.combine(plan.sort)
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

  /// Whether the rows have another order than that of their keys, or the order says which of them are wanted. Others are
  /// brought into the order of their keys by whoever reads them.
  package var hasOwnOrder: Bool { !sort.isEmpty || hasWindow }

  /// Whether there may be more rows than are wanted.
  package var hasWindow: Bool { limit > 0 || offset > 0 }

  /// The values of LIMIT and OFFSET, as far as the statement has them.
  var windowBindings: [StoredValue] {
    guard hasWindow else { return [] }
    return offset > 0 ? [limitBinding, .integer(Int64(offset))] : [limitBinding]
  }

  fileprivate var limitBinding: StoredValue { .integer(limit > 0 ? Int64(limit) : -1) }
}

extension PredicateCompiler {
  fileprivate func storedValue(_ value: PredicateValue, with target: PlanCache.Target) throws -> StoredValue? {
    switch target {
    case .column(let kind, let options): storedValue(value, comparedWith: kind, options)
    case .object(let layout): try storedValue(value, with: .object(key: "", layout), [])
    case .pattern: value.text.map(StoredValue.text)
    }
  }

  fileprivate func target(
    of side: ExpressionNode, _ comparison: ComparisonNode, _ layout: EntityLayout
  ) throws -> PlanCache.Target? {
    var operand = try operand(side, in: QueryScope(of: layout, table: ""))
    if case .members(let members) = operand, comparison.quantifier != .one { operand = members.member }
    if comparison.comparison == .like || comparison.comparison == .matches { return .pattern }
    switch operand {
    case .column(_, let kind): return .column(kind, comparison.options)
    case .derived(_, let kind): return .column(kind == .decimal ? .double : kind, comparison.options)
    case .object(_, let layout), .derivedObject(_, let layout): return .object(layout)
    case .constant, .list, .members: return nil
    }
  }
}
