import SwiftData

/// A plain model of an object graph: dictionaries and arrays, without any cache. It states what SwiftData must report.
struct PlainGraph {
  struct Record: Equatable {
    let kind: Kind
    var name = ""
    var number: Int?
    /// Unique; nil for objects without a code.
    var code: String?
    /// The targets of each relationship, one at most where it is to-one.
    var links: [String: [Int]] = [:]
    /// Whether the object is deleted in the context, but not saved: a delete rule may still deny the deletion.
    var isDeleted = false

    /// The record without relationships, as an object without a context has it.
    var alone: Self { Self(kind: kind, name: name, number: number, code: code) }
  }

  /// The objects by key.
  var records: [Int: Record] = [:]

  var liveKeys: [Int] { records.filter { !$0.value.isDeleted }.keys.sorted() }

  func liveKeys(_ kind: Kind) -> [Int] { liveKeys.filter { records[$0]?.kind == kind } }

  func isLive(_ key: Int) -> Bool { records[key]?.isDeleted == false }

  /// Returns the targets of a relationship that are not deleted.
  func targets(_ name: String, of key: Int) -> [Int] { (records[key]?.links[name] ?? []).filter(isLive).sorted() }

  private func link(_ name: String, of key: Int) -> Link? { records[key]?.kind.link(name) }

  // MARK: Changes

  /// Replaces the targets of a relationship, and changes the other side.
  mutating func set(_ name: String, of key: Int, to targets: [Int]) {
    let old = records[key]?.links[name] ?? []
    for target in old where !targets.contains(target) { unlink(name, of: key, target) }
    for target in targets where !old.contains(target) { join(name, of: key, target) }
  }

  /// Adds a target, which replaces another one where a side is to-one.
  mutating func join(_ name: String, of key: Int, _ target: Int) {
    addEnd(name, of: key, target)
    if let inverse = link(name, of: key)?.inverse { addEnd(inverse, of: target, key) }
  }

  private mutating func unlink(_ name: String, of key: Int, _ target: Int) {
    records[key]?.links[name]?.removeAll { $0 == target }
    if let inverse = link(name, of: key)?.inverse { records[target]?.links[inverse]?.removeAll { $0 == key } }
  }

  private mutating func addEnd(_ name: String, of key: Int, _ target: Int) {
    guard let link = link(name, of: key), records[key]?.links[name]?.contains(target) != true else { return }
    if !link.isToMany { for old in records[key]?.links[name] ?? [] { unlink(name, of: key, old) } }
    records[key]?.links[name, default: []].append(target)
  }

  // MARK: Deletion

  /// Deletes an object, and applies the delete rules.
  mutating func delete(_ key: Int) {
    guard isLive(key), let kind = records[key]?.kind else { return }
    records[key]?.isDeleted = true
    for link in kind.links {
      for other in targets(link.name, of: key) {
        switch link.rule {
        case .cascade: delete(other)
        case .nullify:
          if let inverse = link.inverse { records[other]?.links[inverse]?.removeAll { $0 == key } }
        case .deny: break
        }
      }
    }
  }

  /// Inserts a deleted object again: with its relationships, if it is in the store, to those that have no other one instead.
  mutating func takeBackDeletion(of key: Int, isSaved: Bool) {
    guard let record = records[key] else { return }
    for link in record.kind.links where link.inverse != nil { set(link.name, of: key, to: []) }
    records[key]?.isDeleted = false
    guard isSaved else {
      records[key] = record.alone
      return
    }
    for link in record.kind.links {
      guard let inverse = link.inverse.map(link.destination.link) else { continue }
      for target in record.links[link.name] ?? [] where isLive(target) {
        if inverse.isToMany || (records[target]?.links[inverse.name] ?? []).isEmpty { join(link.name, of: key, target) }
      }
    }
  }

  /// Why a save must fail; nil if it must not.
  func refusal(saved: PlainGraph) -> String? {
    for (key, record) in records.sorted(by: { $0.key < $1.key }) {
      for link in record.kind.links {
        if record.isDeleted, saved.isLive(key), link.rule == .deny, !targets(link.name, of: key).isEmpty {
          return "\(record.kind) \(key).\(link.name) denies the deletion"
        }
        if !record.isDeleted, link.isRequired, targets(link.name, of: key).isEmpty {
          return "\(record.kind) \(key).\(link.name) is required"
        }
      }
    }
    return nil
  }

  /// Removes deleted objects and the references to them.
  mutating func purge() {
    records = records.filter { !$0.value.isDeleted }
    records = records.mapValues { record in
      var record = record
      record.links = record.links.mapValues { $0.filter(isLive) }
      return record
    }
  }

  /// The keys of objects with the same unique value.
  var duplicates: [String: [Int]] {
    Dictionary(grouping: liveKeys.filter { records[$0]?.code != nil }) { records[$0]?.code ?? "" }
      .filter { $0.value.count > 1 }
  }

  // MARK: Comparison

  /// The properties of a live object by name: what the API shows of it.
  func shown(_ key: Int) -> [String: String] {
    guard let record = records[key], !record.isDeleted else { return [:] }
    var values = ["name": record.name, "number": "\(record.number.map(String.init) ?? "nil")"]
    values["code"] = record.code
    for link in record.kind.links { values[link.name] = "\(targets(link.name, of: key))" }
    return values
  }

  /// Returns the differences of what another graph has, one a line; empty if the live objects are the same.
  func differences(from actual: PlainGraph) -> [String] {
    Set(liveKeys).union(actual.liveKeys).sorted().flatMap { differences(from: actual, key: $0) }
  }

  func differences(from actual: PlainGraph, key: Int) -> [String] {
    let kind = records[key]?.kind ?? actual.records[key]?.kind
    let title = "\(kind.map { "\($0)" } ?? "object") \(key)"
    guard isLive(key) else { return actual.isLive(key) ? ["\(title) must not exist"] : [] }
    guard actual.isLive(key) else { return ["\(title) is missing"] }
    let (mine, theirs) = (shown(key), actual.shown(key))
    return Set(mine.keys).union(theirs.keys).sorted().compactMap { name in
      mine[name] == theirs[name]
        ? nil : "\(title).\(name) is \(theirs[name] ?? "nil"), must be \(mine[name] ?? "nil")"
    }
  }

  /// The relationships that do not lead back.
  var contradictions: [String] {
    liveKeys.flatMap { key -> [String] in
      guard let kind = records[key]?.kind else { return [] }
      return kind.links.flatMap { link -> [String] in
        guard let inverse = link.inverse else { return [] }
        return targets(link.name, of: key).filter { !targets(inverse, of: $0).contains(key) }
          .map { "\(kind) \(key).\(link.name) leads to \($0), whose \(inverse) does not lead back" }
      }
    }
  }
}
