import CoreData
import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import StrataSQLStore

/// Puts the objects of a dump into a store, a transaction for each batch.
///
/// Keeps two numbers in memory per object, by which lines find the objects that they refer to. References to objects of
/// later lines wait in a file until all objects exist.
final class ObjectLoader {
  struct Line {
    let number: Int
    let dumped: DumpedObject
  }

  /// How many objects were loaded, by entity.
  private(set) var counts: [String: Int] = [:]

  private let context: NSManagedObjectContext
  private let coordinator: NSPersistentStoreCoordinator
  private let store: SQLStore
  private let model: NSManagedObjectModel
  /// The row of each ID in the dump: by the number of the hierarchy and the key for those such as
  /// `Book/p1`, by their text for others.
  private var rows: [UInt64: UInt64] = [:]
  private var namedRows: [String: UInt64] = [:]
  /// The last key taken of each hierarchy whose objects keep their keys; nil for one whose objects get new ones.
  private var lastKeys: [Int: Int64?] = [:]
  private let waiting: WaitingReferences

  init(_ opened: ToolStore) throws {
    (context, coordinator, model) = (opened.context, opened.coordinator, opened.model)
    guard let store = opened.store.backEnd as? SQLStore else {
      throw ToolFailure(.unusable, "it is not an SQLite store")
    }
    self.store = store
    waiting = try WaitingReferences()
    context.transactionAuthor = "coredata load"
  }

  // MARK: Objects

  /// Inserts the objects of some lines, in one transaction.
  /// - Throws: `ToolFailure`; nothing of the lines is in the store then.
  func insert(_ lines: [Line]) throws {
    try context.performAndWait {
      let objects = lines.map { insert($0.dumped) }
      try assignIDs(to: objects, of: lines)
      for (line, object) in zip(lines, objects) { try relate(object, as: line) }
      try save(Array(zip(lines.map(\.number), objects)))
      for line in lines { counts[line.dumped.entity.name ?? "", default: 0] += 1 }
    }
  }

  private func insert(_ dumped: DumpedObject) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: dumped.entity.name ?? "", into: context)
    for (name, value) in dumped.attributes { object.setValue(value, forKey: name) }
    return object
  }

  // MARK: IDs

  /// Gives the objects their permanent IDs: the keys that they have in the dump where no object of the hierarchy has ever
  /// been in the store.
  private func assignIDs(to objects: [NSManagedObject], of lines: [Line]) throws {
    let keys = lines.map { line in line.dumped.id.flatMap(number)?.key }
    var others: [NSManagedObject] = []
    for (root, members) in Dictionary(grouping: objects.indices, by: { objects[$0].entity.layout.rootNumber }) {
      let known = members.compactMap { keys[$0] }
      guard known.count == members.count, try takeKeys(known, of: root) else {
        others += members.map { objects[$0] }
        continue
      }
      context.assignIDs(
        members.map { objects[$0] },
        as: zip(members, known).map { RowID(store: store.number, entity: objects[$0].entity.layout.number, key: $1) })
    }
    try context.obtainPermanentIDs(for: others)
    for (line, object) in zip(lines, objects) { try note(object, of: line) }
  }

  /// - Returns: false if the objects of a hierarchy must get new keys.
  private func takeKeys(_ keys: [Int64], of root: Int) throws -> Bool {
    guard let last = lastKeys[root, default: 0], let highest = keys.max(), Set(keys).count == keys.count else {
      return false
    }
    let isTaken = try highest <= last || store.takeKeys(upTo: highest, of: model.layout(number: root), after: last)
    lastKeys[root] = .some(isTaken ? max(last, highest) : nil)
    return isTaken
  }

  /// Records the row of a line's ID.
  private func note(_ object: NSManagedObject, of line: Line) throws {
    guard let id = line.dumped.id else { return }
    let row = object.objectID.rowID.bits
    let earlier =
      number(id).map { rows.updateValue(row, forKey: $0.bits) } ?? namedRows.updateValue(row, forKey: id)
    if earlier != nil { throw ToolFailure(.unusable, "line \(line.number): an earlier line also has the ID '\(id)'") }
  }

  /// Hierarchy and key of an ID such as `Book/p1`; nil for others.
  private func number(_ id: String) -> RowID? {
    guard let slash = id.lastIndex(of: "/"), let layout = model.entitiesByName[String(id[..<slash])]?.layout,
      id[slash...].hasPrefix("/p"), let key = Int64(id[slash...].dropFirst(2)), key > 0, key <= RowID.maximumKey
    else { return nil }
    return RowID(store: 0, entity: layout.rootNumber, key: key)
  }

  // MARK: References

  private func relate(_ object: NSManagedObject, as line: Line) throws {
    var later: [(String, [String])] = []
    var given: Set<String> = []
    for (relationship, ids) in line.dumped.relationships {
      given.insert(relationship.name)
      let members = ids.map { self.object($0) }
      if members.contains(where: { $0 == nil }) {
        later.append((relationship.name, ids))
      } else {
        try set(members.compactMap(\.self), of: relationship, in: object, ids: ids, line: line.number)
      }
    }
    // Other lines may fill a relationship from its other end.
    let isComplete = object.entity.relationshipsByName.values.allSatisfy { !$0.isRequired || given.contains($0.name) }
    guard !later.isEmpty || !isComplete else { return }
    (object as? LoadedObject)?.isUnfinished = true
    try waiting.add(.init(line: line.number, row: object.objectID.rowID.bits, relationships: later))
  }

  /// The object of an ID; nil if no line so far has it.
  private func object(_ id: String) -> NSManagedObject? {
    if id.hasPrefix("x-coredata://") {
      let known = URL(string: id).flatMap(coordinator.managedObjectID(forURIRepresentation:))
      return known.flatMap { try? context.existingObject(with: $0) }
    }
    guard let row = number(id).map({ rows[$0.bits] }) ?? namedRows[id] else { return nil }
    return context.faults([RowID(bits: row)]).first
  }

  private func set(
    _ members: [NSManagedObject], of relationship: NSRelationshipDescription, in object: NSManagedObject,
    ids: [String], line: Int
  ) throws {
    for (id, member) in zip(ids, members) {
      guard let wanted = relationship.destinationEntity, member.entity.isKindOf(entity: wanted) else {
        throw ToolFailure(
          .unusable,
          "line \(line): the relationship \(object.entity.name ?? "").\(relationship.name) leads to "
            + "\(relationship.destinationEntity?.name ?? ""), and '\(id)' is of \(member.entity.name ?? "")")
      }
    }
    let value: Any? =
      if !relationship.isToMany { members.first } else if relationship.isOrdered { NSOrderedSet(array: members) } else {
        NSSet(array: members)
      }
    object.setValue(value, forKey: relationship.name)
  }

  /// Sets the references that waited for later lines, in batches of their own.
  func finish() throws {
    while let batch = try waiting.next(Self.batchSize), !batch.isEmpty {
      try context.performAndWait { try finish(batch) }
    }
  }

  static let batchSize = 1_000

  private func finish(_ batch: [WaitingReferences.Reference]) throws {
    let objects = context.faults(batch.map { RowID(bits: $0.row) })
    for (reference, object) in zip(batch, objects) {
      for (name, ids) in reference.relationships {
        guard let relationship = object.entity.relationshipsByName[name] else { continue }
        let members = try ids.map { id in
          guard let member = self.object(id) else {
            throw ToolFailure(
              .unusable,
              "line \(reference.line): \(object.entity.name ?? "").\(name) refers to '\(id)', which no line has")
          }
          return member
        }
        try set(members, of: relationship, in: object, ids: ids, line: reference.line)
      }
    }
    let lines = Array(zip(batch.map(\.line), objects))
    for (line, object) in lines {
      do { try object.validateForUpdate() } catch { throw LoadFailure(error, lines: [(line, object)]).failure }
    }
    try save(lines)
  }

  private func save(_ lines: [(number: Int, object: NSManagedObject)]) throws {
    do { try context.save() } catch { throw LoadFailure(error, lines: lines).failure }
    context.reset()
  }
}

extension NSEntityDescription {
  fileprivate func isKindOf(entity: NSEntityDescription) -> Bool {
    sequence(first: self) { $0.superentity }.contains { $0 === entity }
  }
}

/// Why objects could not be saved, by line.
private struct LoadFailure {
  let failure: ToolFailure

  init(_ error: any Error, lines: [(number: Int, object: NSManagedObject)]) {
    let numbers = Dictionary(lines.map { (ObjectIdentifier($0.object), $0.number) }, uniquingKeysWith: { $1 })
    let known = Self.reasons(error, numbers: numbers).sorted { $0.line < $1.line }
    let shown = known.prefix(5).map { "line \($0.line): \($0.text)" }
    let text = (error as? CocoaError)?.localizedDescription ?? "\(error)"
    let rest = known.count > shown.count ? ["and \(known.count - shown.count) more"] : []
    failure = ToolFailure(.unusable, shown.isEmpty ? text : (shown + rest).joined(separator: "\n"))
  }

  private static func reasons(
    _ error: any Error, numbers: [ObjectIdentifier: Int]
  ) -> [(line: Int, text: String)] {
    guard let error = error as? CocoaError else { return [] }
    let parts = error.userInfo[NSDetailedErrorsKey] as? [any Error] ?? []
    if !parts.isEmpty { return parts.flatMap { reasons($0, numbers: numbers) } }
    if let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] {
      return conflicts.flatMap { conflict in
        conflict.conflictingObjects.compactMap { object in
          numbers[ObjectIdentifier(object)].map {
            ($0, "another object has the same \(conflict.constraint.joined(separator: ", "))")
          }
        }
      }
    }
    guard let object = error.validationObject as? NSManagedObject, let line = numbers[ObjectIdentifier(object)] else {
      return []
    }
    return [(line, error.localizedDescription)]
  }
}
