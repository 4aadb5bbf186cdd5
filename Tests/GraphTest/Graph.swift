import CoreData

/// A plain model of an object graph: dictionaries and arrays, without any cache. It states what Core Data must report.
struct Graph: Equatable {
  struct Record: Equatable {
    let entity: String
    var texts: [String: String] = [:]
    var numbers: [String: Int] = [:]
    var one: [String: Int] = [:]
    var many: [String: [Int]] = [:]
    /// Whether the object is deleted in the context, but not saved: a delete rule may still deny the deletion.
    var isDeleted = false
  }

  /// The objects by key.
  private(set) var records: [Int: Record] = [:]

  var liveKeys: [Int] { records.filter { !$0.value.isDeleted }.keys.sorted() }

  func liveKeys(of entity: String) -> [Int] {
    records.filter { !$0.value.isDeleted && GraphSchema.isKind($0.value.entity, of: entity) }.keys.sorted()
  }

  func isLive(_ key: Int) -> Bool { records[key]?.isDeleted == false }

  func entity(of key: Int) -> String { records[key]?.entity ?? "" }

  func text(_ name: String, of key: Int) -> String? { records[key]?.texts[name] }

  /// Returns the target of a to-one relationship, unless it is deleted.
  func target(_ name: String, of key: Int) -> Int? {
    guard let target = records[key]?.one[name], isLive(target) else { return nil }
    return target
  }

  /// Returns the members of a to-many relationship that are not deleted.
  func members(_ name: String, of key: Int) -> [Int] { (records[key]?.many[name] ?? []).filter(isLive) }
}

/// Changes.
extension Graph {
  mutating func insert(_ key: Int, entity: String) { records[key] = Record(entity: entity) }

  mutating func adopt(_ record: Record, as key: Int) { records[key] = record }

  mutating func set(_ name: String, of key: Int, to text: String?) { records[key]?.texts[name] = text }

  mutating func set(_ name: String, of key: Int, to number: Int?) { records[key]?.numbers[name] = number }

  mutating func setTarget(_ name: String, of key: Int, to target: Int?) {
    let old = records[key]?.one[name]
    guard old != target else { return }
    records[key]?.one[name] = target
    guard let inverse = inverse(name, of: key) else { return }
    if let old { removeEnd(inverse, of: old, key) }
    if let target { addEnd(inverse, of: target, key) }
  }

  mutating func add(_ member: Int, to name: String, of key: Int) {
    let count = records[key]?.many[name]?.count ?? 0
    insert(member, into: name, of: key, at: count)
  }

  mutating func insert(_ member: Int, into name: String, of key: Int, at index: Int) {
    guard records[key]?.many[name]?.contains(member) != true else { return }
    records[key]?.many[name, default: []].insert(member, at: index)
    if let inverse = inverse(name, of: key) { addEnd(inverse, of: member, key) }
  }

  mutating func remove(_ member: Int, from name: String, of key: Int) {
    guard records[key]?.many[name]?.contains(member) == true else { return }
    removeEnd(name, of: key, member)
    if let inverse = inverse(name, of: key) { removeEnd(inverse, of: member, key) }
  }

  mutating func replace(_ name: String, of key: Int, with members: [Int]) {
    let old = records[key]?.many[name] ?? []
    records[key]?.many[name] = members
    guard let inverse = inverse(name, of: key) else { return }
    for member in old where !members.contains(member) { removeEnd(inverse, of: member, key) }
    for member in members where !old.contains(member) { addEnd(inverse, of: member, key) }
  }

  /// Whether an object may become a member: a to-many relationship without an inverse is stored in its members, which
  /// can have only one owner.
  func canJoin(_ member: Int, _ relationship: GraphSchema.Relationship, of key: Int) -> Bool {
    relationship.inverse != nil
      || !records.contains { $0.key != key && $0.value.many[relationship.name]?.contains(member) == true }
  }

  private func inverse(_ name: String, of key: Int) -> String? {
    GraphSchema.relationship(name, of: entity(of: key)).inverse
  }

  /// Updates one end after the other end gained it.
  private mutating func addEnd(_ name: String, of key: Int, _ other: Int) {
    guard let entity = records[key]?.entity else { return }
    let relationship = GraphSchema.relationship(name, of: entity)
    if relationship.isToMany {
      if records[key]?.many[name]?.contains(other) != true { records[key]?.many[name, default: []].append(other) }
      return
    }
    let old = records[key]?.one[name]
    guard old != other else { return }
    records[key]?.one[name] = other
    if let old, let inverse = relationship.inverse { removeEnd(inverse, of: old, key) }
  }

  private mutating func removeEnd(_ name: String, of key: Int, _ other: Int) {
    guard let entity = records[key]?.entity else { return }
    if GraphSchema.relationship(name, of: entity).isToMany {
      records[key]?.many[name]?.removeAll { $0 == other }
    } else if records[key]?.one[name] == other {
      records[key]?.one[name] = nil
    }
  }
}

/// Deletion.
extension Graph {
  /// Deletes an object, and applies the delete rules.
  mutating func delete(_ key: Int) {
    guard isLive(key) else { return }
    records[key]?.isDeleted = true
    for relationship in GraphSchema.relationships(of: entity(of: key)) where !relationship.isTransient {
      let others =
        relationship.isToMany
        ? members(relationship.name, of: key) : [records[key]?.one[relationship.name]].compactMap { $0 }
      for other in others {
        switch relationship.rule {
        case .cascadeDeleteRule: delete(other)
        case .nullifyDeleteRule:
          if let inverse = relationship.inverse { removeEnd(inverse, of: other, key) }
        default: break
        }
      }
    }
  }

  /// Whether a rule denies the deletion of an object that is saved in `stored`.
  func refusesDeletion(saved stored: Graph) -> Bool {
    records.contains { key, record in
      record.isDeleted && stored.isLive(key)
        && GraphSchema.relationships(of: record.entity).contains { relationship in
          relationship.rule == .denyDeleteRule && !members(relationship.name, of: key).isEmpty
        }
    }
  }

  /// Removes deleted objects and the references to them.
  /// - Parameter parent: its deleted objects stay, because its save may fail.
  mutating func purge(keepingDeletedIn parent: Graph = Graph()) {
    records = records.filter { !$0.value.isDeleted || parent.records[$0.key]?.isDeleted == true }
    let live = Set(records.keys)
    for key in live {
      for (name, target) in records[key]?.one ?? [:] where !live.contains(target) { records[key]?.one[name] = nil }
      for name in (records[key]?.many ?? [:]).keys { records[key]?.many[name]?.removeAll { !live.contains($0) } }
    }
  }

  /// The keys of objects that have the same unique value as another, by value.
  var duplicates: [String: [Int]] {
    let (entity, attribute) = GraphSchema.unique
    var byValue: [String: [Int]] = [:]
    for key in liveKeys(of: entity) {
      if let text = text(attribute, of: key) { byValue[text, default: []].append(key) }
    }
    return byValue.filter { $0.value.count > 1 }
  }
}

/// Comparison.
extension Graph {
  /// A live object in a form for comparisons: sets are sorted, and empty ones are omitted.
  private func comparable(_ key: Int) -> [String: String] {
    guard let record = records[key] else { return [:] }
    var lines = ["entity": record.entity]
    for (name, value) in record.texts { lines[name] = "\"\(value)\"" }
    for (name, value) in record.numbers { lines[name] = "\(value)" }
    for relationship in GraphSchema.relationships(of: record.entity) where !relationship.isTransient {
      if relationship.isToMany {
        let all = members(relationship.name, of: key)
        if !all.isEmpty { lines[relationship.name] = "\(relationship.isOrdered ? all : all.sorted())" }
      } else if let target = target(relationship.name, of: key) {
        lines[relationship.name] = "→\(target)"
      }
    }
    return lines
  }

  /// Returns the differences from another graph, one per line; empty if the live objects are the same.
  func differences(from actual: Graph) -> [String] {
    var lines: [String] = []
    for key in Set(liveKeys).union(actual.liveKeys).sorted() {
      lines += differences(from: actual, key: key)
    }
    return lines
  }

  func differences(from actual: Graph, key: Int) -> [String] {
    guard isLive(key) else { return actual.isLive(key) ? ["\(actual.entity(of: key)) \(key) must not exist"] : [] }
    guard actual.isLive(key) else { return ["\(entity(of: key)) \(key) is missing"] }
    let (mine, theirs) = (comparable(key), actual.comparable(key))
    return Set(mine.keys).union(theirs.keys).sorted().compactMap { name in
      mine[name] == theirs[name]
        ? nil : "\(entity(of: key)) \(key).\(name) is \(theirs[name] ?? "nil"), must be \(mine[name] ?? "nil")"
    }
  }

  /// Whether both have the same live objects.
  func isSame(as other: Graph) -> Bool { differences(from: other).isEmpty }

  /// The contradictions: relationships to objects that do not lead back.
  var contradictions: [String] {
    var lines: [String] = []
    for (key, record) in records where !record.isDeleted {
      for relationship in GraphSchema.relationships(of: record.entity) where !relationship.isTransient {
        let name = relationship.name
        let others = relationship.isToMany ? members(name, of: key) : [target(name, of: key)].compactMap { $0 }
        if Set(others).count < others.count { lines.append("\(record.entity) \(key).\(name) has a member twice") }
        guard let inverse = relationship.inverse else { continue }
        for other in others where !leads(inverse, from: other, to: key) {
          lines.append("\(record.entity) \(key).\(name) leads to \(other), whose \(inverse) does not lead back")
        }
      }
    }
    return lines
  }

  private func leads(_ name: String, from key: Int, to other: Int) -> Bool {
    guard let record = records[key] else { return false }
    return record.one[name] == other || record.many[name]?.contains(other) == true
  }
}

extension Graph {
  /// Whether relationships without an inverse lead from some objects to others.
  func hasPlainLinks(from owners: Set<Int>, to keys: Set<Int>) -> Bool {
    owners.contains { key in
      guard let record = records[key] else { return false }
      return GraphSchema.relationships(of: record.entity).contains { relationship in
        let linked = (record.many[relationship.name] ?? []) + [record.one[relationship.name]].compactMap(\.self)
        return relationship.inverse == nil && !keys.isDisjoint(with: linked)
      }
    }
  }

  /// Removes objects from relationships without an inverse.
  mutating func removePlainLinks(to keys: Set<Int>) {
    for (key, record) in records {
      for relationship in GraphSchema.relationships(of: record.entity) where relationship.inverse == nil {
        if let target = record.one[relationship.name], keys.contains(target) {
          records[key]?.one[relationship.name] = nil
        }
        records[key]?.many[relationship.name]?.removeAll(where: keys.contains)
      }
    }
  }

  /// Returns the graph without the links to deleted objects that another graph does not have: an undo restores no link to
  /// an object that the next save deletes.
  func withoutLinksToDeleted(unlessIn other: Graph) -> Graph {
    var graph = self
    for (key, record) in records where record.isDeleted {
      for (name, members) in record.many {
        for member in members where other.records[key]?.many[name]?.contains(member) != true {
          graph.remove(member, from: name, of: key)
        }
      }
    }
    return graph
  }
}
