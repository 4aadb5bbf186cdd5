import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// Reads the nodes of an atomic store as the rows of a batch.
struct NodeReading {
  private let nodes: [RowID: NSAtomicStoreCacheNode]
  private var batch = ChangeBatch()

  init(_ nodes: [RowID: NSAtomicStoreCacheNode]) { self.nodes = nodes }

  /// - Throws: `.corrupt` for a value that does not fit its property, and for a relationship to something other than a
  ///   node.
  func batch(for backEnd: ProgramBackEnd) throws -> ChangeBatch {
    var reading = self
    var rows: [RowID: Row] = [:]
    for id in nodes.keys.sorted(by: { ($0.entity, $0.key) < ($1.entity, $1.key) }) {
      guard let node = nodes[id] else { continue }
      let row = try Self.row(node, as: id, of: backEnd.model.layout(number: id.entity))
      rows[id] = row
      reading.batch.inserted.append(row)
    }
    try backEnd.checkHolds(reading.batch.inserted)
    for row in reading.batch.inserted { try reading.addMembers(of: row, among: rows) }
    return reading.batch
  }

  private static func row(_ node: NSAtomicStoreCacheNode, as id: RowID, of layout: EntityLayout) throws -> Row {
    let page = RowPage(layout: layout, capacity: 1)
    let row = Row(page: page, index: page.append(id: id, version: 1))
    for (slot, property) in layout.slots.enumerated() where !property.isTransient {
      guard let value = property.part(of: node.value(forKey: property.ownerName)), !(value is NSNull) else { continue }
      if property.kind == .toOne {
        page.setReference(try member(value, of: property.name, in: layout), row: row.index, slot: slot)
      } else if !page.setValue(value, row: row.index, slot: slot) {
        throw flaw(layout, property: property.name, reason: property.kind.refusal(of: value))
      }
    }
    return row
  }

  /// The members of to-many relationships that no to-one relationship at the other end expresses.
  private mutating func addMembers(of row: Row, among rows: [RowID: Row]) throws {
    for (number, property) in row.layout.toMany.enumerated() where !property.relationship.isTransient {
      guard let value = nodes[row.id]?.value(forKey: property.name), !(value is NSNull) else { continue }
      let members = try Self.list(value, of: property.name, in: row.layout).map {
        try Self.member($0, of: property.name, in: row.layout)
      }
      let inverse = property.relationship.inverse
      if let inverse, !inverse.isToMany {
        for member in members { rows[member]?.refer(to: row.id, inverse.name) }
        if !property.relationship.isOrdered { continue }
      }
      batch.links.append(LinkChange(owner: row.id, relationship: number, added: members))
    }
  }

  private static func list(_ value: Any, of name: String, in layout: EntityLayout) throws -> [Any] {
    switch value {
    case let set as NSOrderedSet: set.array
    case let set as NSSet: set.allObjects
    case let list as [Any]: list
    case let set as Set<NSAtomicStoreCacheNode>: Array(set)
    default: throw flaw(layout, property: name, reason: "\(value) is not a collection of nodes")
    }
  }

  private static func member(_ value: Any, of name: String, in layout: EntityLayout) throws -> RowID {
    switch value {
    case let node as NSAtomicStoreCacheNode: node.objectID.rowID
    case let id as NSManagedObjectID: id.rowID
    default: throw flaw(layout, property: name, reason: "\(value) is not a node")
    }
  }

  private static func flaw(_ layout: EntityLayout, property name: String, reason: String) -> StoreError {
    StoreError(.corrupt, "A node of the entity '\(layout.name)' has a bad value for '\(name)': \(reason).")
  }
}

extension Row {
  /// Points a to-one relationship at an owner, if it is empty.
  fileprivate func refer(to owner: RowID, _ name: String) {
    guard let slot = layout.slot(named: name), page.isNil(row: index, slot: slot) else { return }
    page.setReference(owner, row: index, slot: slot)
  }
}
