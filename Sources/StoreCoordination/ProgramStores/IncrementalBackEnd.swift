import Foundation
import StrataManagedModel
import StrataMemoryStore
import StrataObjectGraph
import StrataPredicates
import StrataRowStore

/// A program's incremental store as a back end. None of its answers are kept.
final class IncrementalBackEnd: ProgramBackEnd, BackEnd, @unchecked Sendable {
  // Sendable: used under the lock of `ProgramBackEnd`.

  /// By entity number from 1, the properties by name.
  private lazy var properties = model.layouts.map { model.entity(of: $0).propertiesByName }
  private var program: NSIncrementalStore { store as! NSIncrementalStore }  // The store makes its back end.

  override func open() throws {
    try store.loadMetadata()
    try establishMetadata {
      "\(Swift.type(of: program).identifierForNewStore(at: store.url ?? URL(fileURLWithPath: "/dev/null")))"
    }
  }

  // MARK: Reading

  func rows(for query: FetchQuery) throws -> RowList {
    try whileOpen { RowList(rows: try nodes(of: try ids(for: query)).rows) }
  }

  func count(for query: FetchQuery) throws -> Int { try ids(for: query).count }

  func ids(for query: FetchQuery) throws -> [RowID] {
    try whileOpen {
      try QueryCheck.check(query)
      return try withContext { context in
        let answer = try program.execute(request(for: query), with: context)
        guard let list = answer as? [Any] else { throw unusable(answer, to: "a fetch", wanted: "an array of objects") }
        return try list.map { named in
          guard let id = rowID(of: named) else { throw unusable(named, to: "a fetch", wanted: "an object") }
          return id
        }
      }
    }
  }

  /// The request that a fetch of objects would make.
  private func request(for query: FetchQuery) -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = model.entity(of: query.layout)
    request.includesSubentities = query.includesSubentities
    request.predicate = query.filter.map { filter in
      NSPredicate.predicate(
        with: filter.mappingExpressions(spelledOut).mappingValues { value in
          guard case .row(let bits) = value else { return value }
          return .reference(PredicateReference(objectID(RowID(bits: bits))))
        })
    }
    request.sortDescriptors = query.sort.map { key in
      NSSortDescriptor(
        key: key.keyPath.joined(separator: "."), ascending: key.isAscending, selector: key.comparison.selector)
    }
    request.fetchLimit = query.limit
    request.fetchOffset = query.offset
    request.affectedStores = [store]
    return request
  }

  /// Splits the elements of composite attributes in a key path into steps again.
  private func spelledOut(_ expression: ExpressionNode) -> ExpressionNode {
    func steps(_ path: [String]) -> [String] { path.flatMap { $0.split(separator: ".").map(String.init) } }
    switch expression {
    case .keyPath(let path): return .keyPath(steps(path))
    case .path(of: let start, let path): return .path(of: start, steps(path))
    default: return expression
    }
  }

  func values(for query: AggregateQuery) throws -> ValueTable {
    try whileOpen {
      try QueryCheck.check(query)
      var every = query.rows
      (every.sort, every.limit, every.offset) = ([], 0, 0)
      let reader = RowReader(self)
      let table: ValueTable
      do {
        table = try query.values(of: try rows(for: every).rows.map { ViewedRow($0, reader) })
      } catch let error as PredicateEvaluationError {
        throw StoreError(.unsupported, "A fetch of values of \(every.layout.name) was refused: \(error)", cause: error)
      }
      if let failure = reader.failure { throw failure }
      return table
    }
  }

  func rows(with ids: [RowID]) throws -> RowList {
    try whileOpen { RowList(rows: try nodes(of: ids).rows) }
  }

  func related(to owner: RowID, relationship: Int) throws -> [RowID] {
    try related(to: [owner], relationship: relationship).members(of: owner).map(Array.init) ?? []
  }

  func related(to owners: [RowID], relationship: Int) throws -> MemberLists {
    try whileOpen {
      try withContext { context in
        let lists = MemberLists(of: owners)
        for owner in lists.owners {
          let name = model.layout(number: owner.entity).toMany[relationship].name
          guard let property = properties[owner.entity - 1][name] as? NSRelationshipDescription,
            let node = try node(of: owner, context)
          else {
            lists.append([])
            continue
          }
          let value = try node.value(for: property) ?? link(property, of: owner, in: context)
          let members = try members(value, of: property)
          lists.append(property.isOrdered ? members : members.sorted { $0.key < $1.key })
        }
        return lists
      }
    }
  }

  // MARK: Nodes

  /// The rows of the IDs that the store has.
  private func nodes(of ids: [RowID]) throws -> (rows: [Row], Void) {
    try withContext { context in
      var rows: [Row] = []
      for id in ids {
        guard id.store == number, !id.isTemporary, let node = try node(of: id, context) else { continue }
        rows.append(try row(of: node, id: id, in: context))
      }
      return (rows, ())
    }
  }

  /// nil for a row that the store says is gone, and for an ID that it never assigned.
  private func node(of id: RowID, _ context: NSManagedObjectContext) throws -> NSIncrementalStoreNode? {
    guard references.reference(of: id) != nil else { return nil }
    do { return try program.newValuesForObject(with: objectID(id), with: context) } catch let error as CocoaError
      where error.code == .managedObjectReferentialIntegrity
    { return nil }
  }

  private func row(of node: NSIncrementalStoreNode, id: RowID, in context: NSManagedObjectContext) throws -> Row {
    let layout = model.layout(number: id.entity)
    let page = RowPage(layout: layout, capacity: 1)
    let row = Row(page: page, index: page.append(id: id, version: Int64(bitPattern: node.version)))
    for (slot, property) in layout.slots.enumerated() where !property.isTransient {
      guard let description = properties[id.entity - 1][property.ownerName] else { continue }
      if let relationship = description as? NSRelationshipDescription {
        let value = try node.value(for: relationship) ?? link(relationship, of: id, in: context)
        if !(value is NSNull) { page.setReference(try member(value, of: relationship), row: row.index, slot: slot) }
      } else if let value = property.part(of: node.value(for: description)), !(value is NSNull) {
        guard page.setValue(value, row: row.index, slot: slot) else {
          throw unusable(value, to: property.name, wanted: property.kind.refusal(of: value))
        }
      }
    }
    return row
  }

  private func link(
    _ relationship: NSRelationshipDescription, of id: RowID, in context: NSManagedObjectContext
  ) throws -> Any {
    try program.newValue(forRelationship: relationship, forObjectWith: objectID(id), with: context)
  }

  private func members(_ value: Any, of relationship: NSRelationshipDescription) throws -> [RowID] {
    let list: [Any]? =
      switch value {
      case let set as NSOrderedSet: set.array
      case let set as NSSet: set.allObjects
      case let set as Set<NSManagedObjectID>: Array(set)
      case let list as [Any]: list
      case is NSNull: []
      default: nil
      }
    guard let list else { throw unusable(value, to: relationship.name, wanted: "a collection of ids") }
    return try list.map { try member($0, of: relationship) }
  }

  private func member(_ value: Any, of relationship: NSRelationshipDescription) throws -> RowID {
    guard let id = rowID(of: value) else {
      throw unusable(value, to: relationship.name, wanted: "an NSManagedObjectID")
    }
    return id
  }

  private func unusable(_ answer: Any, to question: String, wanted: String) -> StoreError {
    StoreError(
      .corrupt,
      "The store \(store.type) answered \(question) with \(answer) (\(type(of: answer))), and not with \(wanted).")
  }

  // MARK: Metadata

  var metadata: [String: any Sendable] { get throws { try whileOpen { values } } }

  /// A save without objects saves the metadata.
  func setMetadata(_ metadata: [String: any Sendable]) throws {
    try whileOpen {
      addMetadata(metadata)
      try saveNothing()
    }
  }

  /// Executes a save request without objects: Apple's framework asks a store to save its metadata that way.
  func saveNothing() throws {
    try whileOpen { _ = try withContext { try program.execute(NSSaveChangesRequest(), with: $0) } }
  }
}
