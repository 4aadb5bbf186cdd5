import StrataManagedModel
import StrataPredicates
import StrataRowStore
import Synchronization

/// Statements that were written before, by the shape of their query: writing one takes 2 µs or more, a noticeable part
/// of a look-up by an indexed attribute.
///
/// A query is cached if its predicate compares key paths with constants, joined by AND, OR and NOT: then each constant
/// is one binding, in the order of the text. Other predicates are written each time; their constants are bindings too,
/// so the engine still finds their statements prepared.
final class SelectCache: Sendable {
  enum Kind: Hashable { case rows, packed, ids, unorderedIDs, count }

  /// The other side of a constant's comparison, which decides how the constant is bound.
  enum Target: Sendable {
    case column(SlotKind, ComparisonNode.Options)
    case object(EntityLayout)
    /// A pattern, bound as it is: the function that takes it folds it.
    case pattern
  }

  private final class Template: Sendable {
    let kind: Kind
    /// The query that the statement was written for; its constants do not matter.
    let query: FetchQuery
    let text: String
    let shape: RowShape?
    let targets: [Target]

    init(kind: Kind, query: FetchQuery, text: String, shape: RowShape?, targets: [Target]) {
      self.kind = kind
      self.query = query
      self.text = text
      self.shape = shape
      self.targets = targets
    }
  }

  private static let maximumTemplates = 1_000

  private let conditions: PredicateCompiler
  private let state = Mutex(State())

  private struct State {
    var templates: [Int: Template] = [:]
    /// The most recent one, which is usually wanted again: comparing two queries costs a third of hashing one.
    var last: Template?
  }

  init(conditions: PredicateCompiler) { self.conditions = conditions }

  /// The statement for a query; nil if none of its shape is cached.
  func statement(for query: FetchQuery, _ kind: Kind) throws -> (SQLStatement, RowShape?)? {
    guard let template = template(for: query, kind) else { return nil }
    var bindings: [StoredValue] = []
    bindings.reserveCapacity(template.targets.count + 2)
    var areBound = true
    try query.filter?.forEachComparedConstant { value, _, _ in
      guard let bound = try conditions.storedValue(value, with: template.targets[bindings.count]) else {
        areBound = false
        bindings.append(.null)
        return
      }
      bindings.append(bound)
    }
    guard areBound else { return nil }
    if query.hasWindow { bindings.append(query.limitBinding(conditions.dialect)) }
    if query.offset > 0 { bindings.append(.integer(Int64(query.offset))) }
    return (SQLStatement(template.text, bindings), template.shape)
  }

  private func template(for query: FetchQuery, _ kind: Kind) -> Template? {
    if let last = state.withLock({ $0.last }), last.kind == kind, last.query.hasShape(of: query) { return last }
    guard let hash = Self.shapeHash(of: query, kind), let template = state.withLock({ $0.templates[hash] }),
      template.kind == kind, template.query.hasShape(of: query)
    else { return nil }
    state.withLock { $0.last = template }
    return template
  }

  func keep(_ statement: SQLStatement, shape: RowShape?, for query: FetchQuery, kind: Kind) throws {
    guard let hash = Self.shapeHash(of: query, kind) else { return }
    var targets: [Target] = []
    var count = 0
    try query.filter?.forEachComparedConstant { _, side, comparison in
      count += 1
      if let target = try conditions.target(of: side, in: comparison, query.layout) { targets.append(target) }
    }
    guard targets.count == count,
      statement.bindings.count == count + query.windowBindings(conditions.dialect).count
    else { return }
    let template = Template(kind: kind, query: query, text: statement.text, shape: shape, targets: targets)
    state.withLock { state in
      if state.templates.count >= Self.maximumTemplates { state.templates.removeAll() }
      state.templates[hash] = template
    }
  }

  /// nil for a query that cannot be cached.
  private static func shapeHash(of query: FetchQuery, _ kind: Kind) -> Int? {
    var hasher = Hasher()
    // Values of our own types directly: `combine` looks up their conformance first.
    kind.hash(into: &hasher)
    hasher.combine(query.layout.number)
    hasher.combine(query.includesSubentities)
    hasher.combine(query.sort.count)
    for key in query.sort {
      for name in key.keyPath { hasher.combine(name) }
      hasher.combine(key.isAscending)
      hasher.combine(key.comparison.rawValue)
    }
    hasher.combine(query.limit > 0)
    hasher.combine(query.offset > 0)
    if let filter = query.filter, !filter.hashShape(into: &hasher) { return nil }
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

  /// The values of the statement's LIMIT and OFFSET clauses.
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
  fileprivate func storedValue(_ value: PredicateValue, with target: SelectCache.Target) throws -> StoredValue? {
    switch target {
    case .column(let kind, let options):
      storedValue(value, ofKind: kind, options: options).flatMap { dialect.comparable($0, with: kind) }
    case .object(let layout): try storedValue(value, comparedWith: .object(key: "", layout), options: [])
    case .pattern: value.text.map(StoredValue.text)
    }
  }

  fileprivate func target(
    of side: ExpressionNode, in comparison: ComparisonNode, _ layout: EntityLayout
  ) throws -> SelectCache.Target? {
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
