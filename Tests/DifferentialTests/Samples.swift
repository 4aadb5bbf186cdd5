import Foundation
import StrataManagedModel
import StrataMemoryStore
import StrataPostgreSQLServer
import StrataPostgreSQLStore
import StrataPredicates
import StrataRowStore
import StrataSQLStore
import StrataTestSupport

/// The same random objects in SQLite, in PostgreSQL, in the memory store and as plain Swift objects.
struct Samples {
  let file: SQLStore
  /// nil if the objects have texts with U+0000, which the server rejects.
  let server: PostgreSQLStore?
  let memory: MemoryStore
  /// The objects by row ID, which is the same in all stores.
  let objects: [RowID: SampleObject]

  init(seed: UInt64, in folder: URL) throws {
    var draft = SampleDraft(random: SeededRandom(seed: seed), hasNUL: seed.isMultiple(of: 4))
    try draft.fill()
    file = try SQLStore(
      opening: folder.appendingPathComponent("\(seed).sqlite"), model: SampleModel.model, number: 1,
      options: SQLStoreOptions())
    memory = try MemoryStore(model: SampleModel.model, configuration: nil, number: 1, keepsHistory: false)
    server =
      draft.hasNUL
      ? nil
      : try PostgreSQLStore(opening: PostgreSQLServer.shared.get().freshURL(), model: SampleModel.model, number: 1)
    let ids = try file.commit(draft.batch).inserted
    guard try memory.commit(draft.batch).inserted == ids,
      try server?.commit(draft.batch).inserted ?? ids == ids
    else { throw SampleError("the stores assigned different keys") }
    objects = draft.objects(ids)
  }

  func objects(of entity: String) -> [SampleObject] {
    objects.values.filter { $0.entity == entity || (entity == "Thing" && $0.entity == "Special") }
      .sorted { $0.id.key < $1.id.key }
  }
}

struct SampleError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// One object, independent of any store.
final class SampleObject: PredicateSubject, @unchecked Sendable {
  // @unchecked: immutable once the samples are complete.

  let entity: String
  fileprivate(set) var id = RowID.none
  fileprivate(set) var values: [String: PredicateValue] = [:]
  fileprivate(set) var toOne: [String: SampleObject] = [:]
  fileprivate(set) var toMany: [String: [SampleObject]] = [:]

  init(entity: String) { self.entity = entity }

  var predicateIdentity: PredicateValue { .row(id.bits) }

  func leadsToMany(_ path: ArraySlice<String>) -> Bool {
    var entity = SampleModel.entities[entity]
    var isToMany = false
    for name in path {
      if name.hasPrefix("@") { return false }
      guard let relationship = entity?.relationships.first(where: { $0.name == name }) else { break }
      isToMany = isToMany || relationship.isToMany
      entity = SampleModel.entities[relationship.destination]
    }
    return isToMany
  }

  func predicateResult(forKey key: String) -> PredicateResult {
    guard let description = SampleModel.entities[entity] else { return .unknownKey }
    if description.attributes.contains(where: { $0.name == key }) { return .value(values[key] ?? .null) }
    if description.attributes.contains(where: { $0.name.hasPrefix(key + ".") }) {
      return .subject(SamplePart(object: self, path: key))
    }
    guard let relationship = description.relationships.first(where: { $0.name == key }) else { return .unknownKey }
    if relationship.isToMany { return .members((toMany[key] ?? []).map(PredicateResult.subject)) }
    return toOne[key].map(PredicateResult.subject) ?? .value(.null)
  }
}

/// A composite attribute of an object.
private struct SamplePart: PredicateSubject {
  let object: SampleObject
  let path: String

  var predicateIdentity: PredicateValue { object.predicateIdentity }

  func predicateResult(forKey key: String) -> PredicateResult { object.predicateResult(forKey: "\(path).\(key)") }
}

/// Samples under construction.
private struct SampleDraft {
  var random: SeededRandom
  let hasNUL: Bool
  var batch = ChangeBatch()
  private var made: [SampleObject] = []
  private var byTemporaryID: [RowID: SampleObject] = [:]

  init(random: SeededRandom, hasNUL: Bool) { (self.random, self.hasNUL) = (random, hasNUL) }

  mutating func fill() throws {
    let counts = [("Area", 3), ("Group", 5), ("Tag", 6), ("Thing", 10), ("Special", 4)]
    var rows: [String: [Row]] = [:]
    for (entity, count) in counts {
      rows[entity] = try (0..<count).map { _ in try insert(entity) }
    }
    let things = (rows["Thing"] ?? []) + (rows["Special"] ?? [])
    link(things, "group", to: rows["Group"] ?? [], inverse: "things")
    link(things, "parent", to: things, inverse: "children")
    link(rows["Special"] ?? [], "keeper", to: rows["Group"] ?? [], inverse: "kept")
    link(rows["Group"] ?? [], "area", to: rows["Area"] ?? [], inverse: "groups")
    join(things, "tags", to: rows["Tag"] ?? [], inverse: "things")
    join(things, "friends", to: things, inverse: "friends")
    join(rows["Group"] ?? [], "picks", to: rows["Tag"] ?? [], inverse: "pickers")
  }

  private mutating func insert(_ entity: String) throws -> Row {
    guard let layout = SampleModel.model.entitiesByName[entity]?.layout, let description = SampleModel.entities[entity]
    else { throw SampleError("the model has no entity \(entity)") }
    let page = RowPage(layout: layout, capacity: 1)
    let row = Row(page: page, index: page.append(id: .temporary(entity: layout.number), version: 0))
    let object = SampleObject(entity: entity)
    for attribute in description.attributes {
      guard let slot = layout.slot(named: attribute.name) else { throw SampleError("no slot \(attribute.name)") }
      let value = value(of: attribute)
      row.set(slot: slot, to: value)
      object.values[attribute.name] = value.asPlainValue
    }
    batch.inserted.append(row)
    made.append(object)
    byTemporaryID[row.id] = object
    return row
  }

  private mutating func value(of attribute: SampleModel.Attribute) -> SlotValue {
    if random.once(in: 5) { return .null }
    switch attribute.type {
    case .integer16: return .integer(random.pick(Pool.wholes.filter { Int16(exactly: $0) != nil }))
    case .integer32: return .integer(random.pick(Pool.wholes.filter { Int32(exactly: $0) != nil }))
    case .integer64: return .integer(random.pick(Pool.wholes))
    case .boolean: return .boolean(random.once(in: 2))
    case .double: return .double(random.pick(Pool.reals))
    case .float: return .double(Double(random.pick(Pool.singles)))
    case .decimal: return .decimal(random.pick(Pool.decimals))
    case .uri: return .uri(random.pick(Pool.links))
    case .date: return .date(random.pick(Pool.seconds))
    case .binaryData: return .data(random.pick(Pool.bytes))
    case .uuid: return .uuid(random.pick(Pool.tokens))
    default: return .string(random.pick(hasNUL ? Pool.texts : Pool.texts.filter { !$0.contains("\0") }))
    }
  }

  private mutating func link(_ owners: [Row], _ name: String, to others: [Row], inverse: String) {
    for owner in owners where !random.once(in: 4) {
      let other = random.pick(others)
      guard let slot = owner.layout.slot(named: name) else { continue }
      owner.set(slot: slot, to: .reference(other.id))
      guard let object = byTemporaryID[owner.id], let target = byTemporaryID[other.id] else { continue }
      object.toOne[name] = target
      target.toMany[inverse, default: []].append(object)
    }
  }

  private mutating func join(_ owners: [Row], _ name: String, to others: [Row], inverse: String) {
    var pairs: Set<Set<RowID>> = []
    for owner in owners {
      var added: [RowID] = []
      for other in others.shuffled(using: &random) where random.once(in: 4) && other.id != owner.id {
        guard pairs.insert([owner.id, other.id]).inserted else { continue }
        added.append(other.id)
        guard let object = byTemporaryID[owner.id], let target = byTemporaryID[other.id] else { continue }
        object.toMany[name, default: []].append(target)
        target.toMany[inverse, default: []].append(object)
      }
      guard !added.isEmpty, let number = owner.layout.toMany(named: name) else { continue }
      batch.links.append(LinkChange(owner: owner.id, relationship: number, added: added))
    }
  }

  /// The objects by permanent ID, with unordered members sorted by ID.
  func objects(_ ids: [RowID]) -> [RowID: SampleObject] {
    for (object, id) in zip(made, ids) { object.id = id }
    for object in made {
      for (name, members) in object.toMany where name != "picks" {
        object.toMany[name] = members.sorted { $0.id.key < $1.id.key }
      }
    }
    return Dictionary(uniqueKeysWithValues: zip(ids, made))
  }
}

extension SlotValue {
  fileprivate var asPlainValue: PredicateValue {
    switch self {
    case .null, .reference: .null
    case .integer(let value): .integer(value)
    case .boolean(let value): .bool(value)
    case .double(let value): .real(value)
    case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .decimal(let value): .decimal(value)
    case .string(let value): .string(value)
    case .uri(let value): .url(URL(string: value)!)
    case .uuid(let value): .uuid(value)
    case .data(let value): .data(Data(value))
    }
  }
}
