import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// The columns of a dictionary fetch: the program's properties as expressions over rows.
struct DictionaryColumns {
  /// One entry of the dictionaries.
  struct Column {
    var name: String
    var expression: ExpressionNode
    /// The kind that the values are converted to; nil for no conversion.
    var kind: SlotKind?
    /// The attribute of the column, if it is one: its values may need a transformer.
    var slot: PropertySlot?
    /// The property as given by the program.
    var property: Any
    /// Whether the column is an element of a composite attribute that the program named.
    var isElement = false
  }

  /// A composite attribute: its columns begin at `first`, in the order of its slots.
  struct CompositeColumns {
    var name: String
    var composite: CompositeAttribute
    var first: Int
  }

  let layout: EntityLayout
  private let context: NSManagedObjectContext
  private(set) var columns: [Column] = []
  private(set) var composites: [CompositeColumns] = []

  /// - Parameter properties: names, key paths and descriptions; nil means all attributes.
  /// - Throws: code 134091 for anything else, and for an expression that no source can evaluate.
  init(_ properties: [Any]?, of layout: EntityLayout, in context: NSManagedObjectContext) throws {
    self.layout = layout
    self.context = context
    for property in properties ?? attributes {
      if let path = compositePath(property) {
        try addComposite(at: path, property)
      } else {
        columns.append(try column(property))
      }
    }
  }

  private var entity: NSEntityDescription { context.model.entity(of: layout) }

  private var attributes: [Any] {
    let stored = Set(layout.slots.filter { $0.kind != .toOne && !$0.isTransient }.map(\.ownerName))
    return layout.ownerNames.filter(stored.contains)
  }

  /// The flattened path of a property that is a composite attribute.
  private func compositePath(_ property: Any) -> [String]? {
    let name = property as? String ?? (property as? NSCompositeAttributeDescription).map(entity.path)
    guard layout.modelHasComposites, let name else { return nil }
    let path = layout.flattened(name.split(separator: ".").map(String.init))
    return composite(at: path) == nil ? nil : path
  }

  private func composite(at path: [String]) -> CompositeAttribute? {
    path.last.flatMap { layout.destination(of: Array(path.dropLast()))?.composite(named: $0) }
  }

  private mutating func addComposite(at path: [String], _ property: Any) throws {
    guard let composite = composite(at: path), let owner = layout.destination(of: Array(path.dropLast())) else {
      return
    }
    composites.append(
      CompositeColumns(name: path.joined(separator: "."), composite: composite, first: columns.count))
    columns += try composite.slots.map { number in
      let slot = owner.slots[number]
      guard !slot.isTransient else { throw refusal("keypath \(path.joined(separator: "."))") }
      return Column(
        name: slot.name, expression: .keyPath(path.dropLast() + [slot.name]), kind: slot.kind, slot: slot,
        property: property, isElement: true)
    }
  }

  private func column(_ property: Any) throws -> Column {
    switch property {
    case let name as String: return try column(named: name, property)
    case let description as NSExpressionDescription: return try column(description)
    case let description as NSPropertyDescription:
      let name = entity.path(of: description)
      guard layout.slot(named: name) != nil || layout.toMany(named: name) != nil else {
        throw refusal("property (\(name))", because: " (entity mismatch)")
      }
      return try column(named: name, property)
    default: throw refusal("property (\(property))")
    }
  }

  /// Apple's exception about a column.
  private func refusal(_ subject: String, because reason: String = "") -> CocoaError {
    .coreData(.unsupported, "Invalid \(subject) passed to setPropertiesToFetch:\(reason).")
  }

  private func column(named name: String, _ property: Any) throws -> Column {
    let path = layout.flattened(name.split(separator: ".").map(String.init))
    if path == ["objectID"] || path == ["self"] {
      return Column(name: name, expression: .evaluatedObject, kind: .toOne, property: property)
    }
    guard let slot = slot(at: path), !slot.isTransient else {
      throw refusal("keypath \(name)")
    }
    return Column(name: name, expression: .keyPath(path), kind: slot.kind, slot: slot, property: property)
  }

  private func column(_ description: NSExpressionDescription) throws -> Column {
    guard let expression = description.expression else {
      // A description with only a name stands for the property of that name.
      if layout.slot(named: description.name) != nil { return try column(named: description.name, description) }
      throw refusal("keypath expression (\(description.name))")
    }
    let node = countingValues(layout.flattened(try context.resolved(expression)))
    return Column(
      name: description.name, expression: node, kind: kind(of: node, as: description.expressionResultType),
      slot: slot(of: node), property: description)
  }

  /// Rewrites `tags.name.@count` as a function over the names, since the operator does not follow a collection of
  /// objects.
  private func countingValues(_ node: ExpressionNode) -> ExpressionNode {
    guard case .keyPath(let path) = node, path.last == "@count", layout.leadsToMany(path.dropLast()),
      let name = path.dropLast().last, let owner = layout.destination(of: Array(path.dropLast(2))),
      let slot = owner.slot(named: name), owner.slots[slot].kind != .toOne
    else { return node }
    return .function(.count, [.keyPath(Array(path.dropLast()))])
  }

  private func slot(of node: ExpressionNode) -> PropertySlot? {
    if case .keyPath(let path) = node { slot(at: path) } else { nil }
  }

  /// Returns the attribute or to-one relationship at the end of a path of to-one relationships.
  private func slot(at path: [String]) -> PropertySlot? {
    var layout: EntityLayout? = layout
    var found: PropertySlot?
    for name in path {
      guard let index = layout?.slot(named: name), let slot = layout?.slots[index] else { return nil }
      found = slot
      layout = slot.relationship?.destination
    }
    return found
  }

  /// Returns the kind that the description asks for, or that of the attribute whose minimum or maximum is computed.
  private func kind(of node: ExpressionNode, as type: NSAttributeType) -> SlotKind? {
    if type == .objectIDAttributeType { return .toOne }
    if type != .undefinedAttributeType { return SlotKind(type) }
    if let slot = slot(of: node) { return slot.kind }
    guard let aggregate = node.aggregate(over: layout), let argument = aggregate.argument else { return nil }
    switch aggregate.function {
    case .min, .max: return slot(of: argument)?.kind
    case .sum: return slot(of: argument)?.kind == .decimal ? .decimal : nil
    case .average, .count: return nil
    }
  }
}

/// The query of a dictionary request.
extension DictionaryColumns {
  /// - Parameters:
  ///   - rows: a query for the rows that the request selects, unordered.
  ///   - sort: the sort order; a key may name a column.
  /// - Returns: nil if there are no columns.
  func query<T>(for request: NSFetchRequest<T>, rows: FetchQuery, having: PredicateNode?, sort: [SortKey]) throws
    -> AggregateQuery?
  {
    guard !columns.isEmpty else { return nil }
    let grouping = try request.givenPropertiesToGroupBy.map { try DictionaryColumns($0, of: layout, in: context) }
    let groups = grouping?.columns.map(\.expression) ?? []
    try check(request, groups: groups)
    return AggregateQuery(
      rows: rows, columns: columns.map { ValueColumn(gathered($0.expression, by: groups), as: $0.kind) },
      groups: groups,
      having: having.map(namingColumns), isDistinct: request.returnsDistinctResults, sort: sort.map(self.sort))
  }

  /// - Throws: code 134091 with Apple's message if columns and groups do not fit together.
  private func check<T>(_ request: NSFetchRequest<T>, groups: [ExpressionNode]) throws {
    if groups.isEmpty {
      guard request.havingPredicate == nil else {
        throw CocoaError.coreData(
          .unsupported,
          "HAVING clauses are only for queries with GROUP BY components: set propertiesToGroupBy, or use the predicate."
        )
      }
      return
    }
    for column in columns where !isKnown(column.expression, by: groups) {
      let name = (column.property as? NSPropertyDescription)?.name ?? "\(column.property)"
      throw CocoaError.coreData(
        .unsupported,
        "SELECT clauses in queries with GROUP BY components can only contain properties named in the GROUP BY or "
          + "aggregate functions (\(name) is not in the GROUP BY).")
    }
  }

  /// Rewrites an expression over a group whose value can be summed up over rows: the members of a to-many relationship
  /// of all rows in the group are counted together.
  private func gathered(_ expression: ExpressionNode, by groups: [ExpressionNode]) -> ExpressionNode {
    isMemberCount(expression) && !groups.isEmpty && !groups.contains(expression)
      ? .function(.sum, [expression]) : expression
  }

  /// Whether an expression counts the members of a row's to-many relationship: `tags.@count`, `count:(tags.name)`.
  private func isMemberCount(_ expression: ExpressionNode) -> Bool {
    switch expression {
    case .keyPath(let path) where path.last == "@count": layout.leadsToMany(path.dropLast())
    case .function(.count, let arguments):
      if case .keyPath(let path)? = arguments.first { layout.leadsToMany(path[...]) } else { false }
    default: false
    }
  }

  /// Whether an expression has one value per group: made of constants, functions over rows and the grouped properties.
  private func isKnown(_ expression: ExpressionNode, by groups: [ExpressionNode]) -> Bool {
    if expression.aggregate(over: layout) != nil || groups.contains(expression) || isMemberCount(expression) {
      return true
    }
    switch expression {
    case .evaluatedObject, .keyPath: return false
    default: return expression.parts.allSatisfy { isKnown($0, by: groups) }
    }
  }

  /// Resolves column names: a column may be named by a variable, or by a key that is not a property.
  private func namingColumns(_ having: PredicateNode) -> PredicateNode {
    having.mappingExpressions { node in
      switch node {
      case .variable(let name): number(of: name).map { columns[$0].expression } ?? node
      case .keyPath(let path) where path.count == 1 && slot(at: path) == nil:
        number(of: path[0]).map { columns[$0].expression } ?? node
      default: node
      }
    }
  }

  private func sort(_ key: SortKey) -> ValueSort {
    guard key.keyPath.count == 1, slot(at: key.keyPath) == nil, let number = number(of: key.keyPath[0]) else {
      return .key(key)
    }
    return .column(number, isAscending: key.isAscending)
  }

  private func number(of name: String) -> Int? { columns.firstIndex { $0.name == name } }
}
