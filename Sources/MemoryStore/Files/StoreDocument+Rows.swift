import Foundation
import StrataManagedModel
import StrataRowStore

/// The names of a model's entities and properties in a file: upper case and lower case, as Apple's framework writes
/// them, unless that would make two names equal.
struct DocumentNames {
  private let entities: [String: EntityLayout]
  private let names: [String]

  init(of layouts: [EntityLayout]) {
    let short = Dictionary(grouping: layouts) { $0.name.uppercased() }
    names = layouts.map { short[$0.name.uppercased()]?.count == 1 ? $0.name.uppercased() : $0.name }
    var entities: [String: EntityLayout] = [:]
    for (upper, layouts) in short where layouts.count == 1 { entities[upper] = layouts[0] }
    for layout in layouts { entities[layout.name] = layout }
    self.entities = entities
  }

  func entity(_ name: String) -> EntityLayout? { entities[name] ?? entities[name.uppercased()] }

  func name(of layout: EntityLayout) -> String { names[layout.number - 1] }

  /// An entity's property names in files, by model name.
  static func properties(of layout: EntityLayout) -> [String: String] {
    let all = layout.slots.map(\.name) + layout.toMany.map(\.name)
    let short = Dictionary(grouping: all) { $0.lowercased() }
    return Dictionary(
      all.map { ($0, short[$0.lowercased()]?.count == 1 ? $0.lowercased() : $0) },
      uniquingKeysWith: { first, _ in first })
  }
}

/// Converts a document to rows.
struct DocumentDecoder {
  private let names: DocumentNames
  private let file: String
  private let store: Int
  private var ids: [String: RowID] = [:]
  private var rows: [RowID: Row] = [:]
  private var batch = ChangeBatch()
  /// Each entity's properties by their names in files.
  private var properties: [Int: [String: String]] = [:]
  private(set) var lastKey: Int64 = 0

  init(_ model: ModelLayout, store: Int, file: String) {
    names = DocumentNames(of: model.layouts)
    (self.store, self.file) = (store, file)
  }

  /// The objects of a document as inserted rows that keep their IDs.
  /// - Throws: `.corrupt` for names or values that do not fit the model.
  mutating func batch(of document: StoreDocument) throws -> ChangeBatch {
    lastKey = (1...RowID.maximumKey / 2).contains(document.nextNumber) ? document.nextNumber - 1 : 0
    let objects = try document.objects.map { object in (object, try layout(of: object)) }
    for (object, _) in objects { lastKey = max(lastKey, Self.number(in: object.id) ?? 0) }
    for (object, layout) in objects { try add(object, layout: layout) }
    for (object, layout) in objects { try connect(object, layout: layout) }
    return batch
  }

  private func layout(of object: StoreDocument.Object) throws -> EntityLayout {
    guard let layout = names.entity(object.type), !layout.isAbstract else {
      throw flaw(object, reason: "the model has no such entity")
    }
    return layout
  }

  /// The number in `z102`, `p102` or `102`; nil for other IDs.
  private static func number(in id: String) -> Int64? {
    let digits = id.drop { !$0.isNumber }
    guard id.count - digits.count <= 1, let number = Int64(digits), number > 0, number < RowID.maximumKey / 2 else {
      return nil
    }
    return number
  }

  private mutating func add(_ object: StoreDocument.Object, layout: EntityLayout) throws {
    let key = Self.number(in: object.id) ?? lastKey + 1
    lastKey = max(lastKey, key)
    let id = RowID(store: store, entity: layout.number, key: key)
    guard ids.updateValue(id, forKey: object.id) == nil else { throw flaw(object, reason: "two objects have this id") }
    let page = RowPage(layout: layout, capacity: 1)
    let row = Row(page: page, index: page.append(id: id, version: 1))
    for attribute in object.attributes {
      guard let slot = layout.slot(named: name(attribute.name, in: layout)), layout.slots[slot].relationship == nil,
        !layout.slots[slot].isTransient
      else { throw flaw(object, reason: "the model has no attribute '\(attribute.name)'") }
      guard let value = SlotValue(attribute.value, as: layout.slots[slot].kind) else {
        throw flaw(object, reason: "the value of '\(attribute.name)' does not fit its type")
      }
      row.set(slot: slot, to: value)
    }
    rows[id] = row
    batch.inserted.append(row)
  }

  /// Sets a row's relationships. A link that is also a to-one at the other end is set there. Ignores
  /// references to objects that are not in the file: such an object was deleted, and the relationship has no inverse.
  private mutating func connect(_ object: StoreDocument.Object, layout: EntityLayout) throws {
    guard let owner = ids[object.id], let row = rows[owner] else { return }
    for relationship in object.relationships {
      let name = name(relationship.name, in: layout)
      let members = try relationship.members.compactMap { member -> RowID? in
        guard let id = ids[member] else { return nil }
        try check(id, in: relationship, of: object, at: layout)
        return id
      }
      if let slot = layout.slot(named: name), let property = layout.slots[slot].relationship {
        guard members.count <= 1 else { throw flaw(object, reason: "'\(property.name)' refers to several objects") }
        if let member = members.first { row.set(slot: slot, to: .reference(member)) }
        continue
      }
      guard let number = layout.toMany(named: name) else {
        throw flaw(object, reason: "the model has no relationship '\(relationship.name)'")
      }
      let property = layout.toMany[number].relationship
      if let inverse = property.inverse, !inverse.isToMany {
        for member in members { rows[member]?.refer(to: owner, inverse.name) }
        guard property.isOrdered else { continue }
      }
      if !members.isEmpty { batch.links.append(LinkChange(owner: owner, relationship: number, added: members)) }
    }
  }

  /// Rejects a destination of an entity that the relationship does not allow.
  private mutating func check(
    _ member: RowID, in relationship: StoreDocument.Relationship, of object: StoreDocument.Object,
    at layout: EntityLayout
  ) throws {
    let name = name(relationship.name, in: layout)
    let destination = layout.relationship(named: name)?.destination
    guard let destination, let other = rows[member]?.layout, !other.isKind(of: destination) else { return }
    throw flaw(object, reason: "'\(relationship.name)' refers to an object of the entity \(other.name)")
  }

  private mutating func name(_ name: String, in layout: EntityLayout) -> String {
    if layout.slot(named: name) != nil || layout.toMany(named: name) != nil { return name }
    let known =
      properties[layout.number]
      ?? Dictionary(
        DocumentNames.properties(of: layout).map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    properties[layout.number] = known
    return known[name.lowercased()] ?? name
  }

  private func flaw(_ object: StoreDocument.Object, reason: String) -> StoreError {
    StoreError(.corrupt, "Cannot open the store '\(file)': \(object.type) \(object.id): \(reason).")
  }
}

extension Row {
  /// Sets a to-one relationship to an owner unless it is set already.
  fileprivate func refer(to owner: RowID, _ name: String) {
    guard let slot = layout.slot(named: name), page.isNil(row: index, slot: slot) else { return }
    page.setReference(owner, row: index, slot: slot)
  }
}

/// Converts rows to a document.
struct DocumentEncoder {
  private let names: DocumentNames
  private let layouts: [EntityLayout]
  private var properties: [Int: [String: String]] = [:]

  init(_ model: ModelLayout) {
    layouts = model.layouts
    names = DocumentNames(of: model.layouts)
    for layout in model.layouts { properties[layout.number] = DocumentNames.properties(of: layout) }
  }

  func objects(of contents: StoreContents) -> [StoreDocument.Object] {
    layouts.filter { $0.number == $0.rootNumber }.flatMap { root in
      contents.table(of: root).rows.map { object($0, in: contents) }
    }
  }

  private func object(_ row: Row, in contents: StoreContents) -> StoreDocument.Object {
    let layout = row.layout
    let names = properties[layout.number] ?? [:]
    var object = StoreDocument.Object(type: self.names.name(of: layout), id: "z\(row.id.key)")
    for (slot, property) in layout.slots.enumerated() where !property.isTransient {
      let name = names[property.name] ?? property.name
      if let relationship = property.relationship {
        let target = row.page.isNil(row: row.index, slot: slot) ? nil : row.page.reference(row: row.index, slot: slot)
        object.relationships.append(
          self.relationship(name, description: relationship, members: [target].compactMap { $0 }.filter(contents.has)))
      } else if let (type, value) = row[slot].documented(as: property.kind) {
        object.attributes.append(StoreDocument.Attribute(name: name, type: type, value: value))
      }
    }
    for (number, property) in layout.toMany.enumerated() where !property.relationship.isTransient {
      let members = contents.links.members(of: ToManyTable.Key(owner: row.id, relationship: number))
      object.relationships.append(
        relationship(
          names[property.name] ?? property.name, description: property.relationship,
          members: members.filter(contents.has)))
    }
    return object
  }

  private func relationship(
    _ name: String, description relationship: RelationshipLayout, members: [RowID]
  ) -> StoreDocument.Relationship {
    StoreDocument.Relationship(
      name: name, isToMany: relationship.isToMany, destination: names.name(of: relationship.destination),
      members: members.map { "z\($0.key)" })
  }
}
