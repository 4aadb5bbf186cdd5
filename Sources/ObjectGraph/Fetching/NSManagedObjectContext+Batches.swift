import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Batch requests as changes of rows.
extension NSManagedObjectContext {
  func insert(_ request: NSBatchInsertRequest) throws -> NSBatchInsertResult {
    let layout = try request.subject.layout(in: self)
    guard !layout.isAbstract else {
      throw CocoaError.coreData(
        .unsupported, "A batch insert was refused: the entity '\(layout.name)' is abstract and has no rows of its own.")
    }
    let onConflict = BulkInsertion.Conflict(mergePolicy)
    let insertion = BulkInsertion(
      layout: layout, rows: try rows(of: request, layout, onConflict), onConflict: onConflict)
    let receipt = try execute(.insert(insertion), for: request, wantsIDs: request.resultType == .objectIDs)
    let result: Any =
      switch request.resultType {
      case .statusOnly: true
      case .objectIDs: listedIDs(receipt.inserted + receipt.updated)
      case .count: receipt.insertedCount + receipt.updatedCount
      }
    return NSBatchInsertResult(result, request.resultType)
  }

  private func rows(
    of request: NSBatchInsertRequest, _ layout: EntityLayout, _ onConflict: BulkInsertion.Conflict
  ) throws -> any BulkRows {
    if let handler = request.managedObjectHandler { return ObjectRows(layout, onConflict, in: self, handler: handler) }
    if let handler = request.dictionaryHandler { return DictionaryRows(layout, handler: handler) }
    return DictionaryRows(layout, list: request.objectsToInsert ?? [])
  }

  func update(_ request: NSBatchUpdateRequest) throws -> NSBatchUpdateResult {
    let layout = try request.subject.layout(in: self)
    var update = BulkUpdate(
      layout: layout, includesSubentities: request.includesSubentities,
      filter: try filter(request.predicate, of: layout))
    for (key, value) in request.propertiesToUpdate ?? [:] { try assign(value, to: key.base, in: &update) }
    guard update.slots.contains(where: { $0 != 0 }) else {
      throw CocoaError.coreData(
        .unsupported, "A batch update of '\(layout.name)' was refused: its propertiesToUpdate name nothing to set.")
    }
    let receipt = try execute(
      .update(update), for: request, wantsIDs: request.resultType == .updatedObjectIDsResultType)
    let result: Any =
      switch request.resultType {
      case .statusOnlyResultType: true
      case .updatedObjectIDsResultType: listedIDs(receipt.updated)
      case .updatedObjectsCountResultType: receipt.updatedCount
      }
    return NSBatchUpdateResult(result, request.resultType)
  }

  func delete(_ request: NSBatchDeleteRequest) throws -> NSBatchDeleteResult {
    let receipt = try execute(request)
    let result: Any =
      switch request.resultType {
      case .resultTypeStatusOnly: true
      case .resultTypeObjectIDs: listedIDs(receipt.deleted)
      case .resultTypeCount: receipt.deletedCount
      }
    return NSBatchDeleteResult(result, request.resultType)
  }

  private func execute(_ request: NSBatchDeleteRequest) throws -> BulkReceipt {
    let wantsIDs = request.resultType == .resultTypeObjectIDs
    guard let objectIDs = request.objectIDs else {
      let fetch = request.fetchRequest
      fetch.includesPendingChanges = false
      let query = try query(for: fetch)
      return try execute(
        .delete(BulkDeletion(layout: query.layout, selection: .query(query))), for: request, wantsIDs: wantsIDs)
    }
    let ids = try objectIDs.map(savedRowID)
    guard let first = ids.first else { return BulkReceipt() }
    guard ids.allSatisfy({ $0.entity == first.entity }) else {
      let names = Set(objectIDs.map { $0.entity.name ?? "" }).sorted().joined(separator: "', '")
      throw CocoaError.coreData(
        .unsupported,
        "mismatched objectIDs in batch delete initializer: a batch deletes objects of one entity, not of '\(names)'.")
    }
    let deletion = BulkDeletion(layout: model.layout(number: first.entity), selection: .ids(ids))
    return try execute(.delete(deletion), for: request, wantsIDs: wantsIDs)
  }

  /// - Throws: code 134091 for an object in no store of the context's coordinator.
  private func savedRowID(_ id: NSManagedObjectID) throws -> RowID {
    guard let row = rowID(of: id), !row.isTemporary else {
      throw CocoaError.coreData(
        .unsupported, "A batch request was refused: \(id) is in no store of the context's coordinator; save it first.",
        userInfo: [NSAffectedObjectsErrorKey: [id]])
    }
    return row
  }

  private func listedIDs(_ ids: [RowID]) -> [NSManagedObjectID] { ids.map(publicID) }
}

/// The values of a batch update.
extension NSManagedObjectContext {
  private func assign(_ value: Any, to key: Any, in update: inout BulkUpdate) throws {
    let layout = update.layout
    let name = (key as? NSPropertyDescription).map(model.entity(of: layout).path) ?? key as? String ?? "\(key)"
    if let composite = layout.composite(named: name), !(value is StrataPredicates.NSExpression) {
      return try assign(value, to: composite, in: &update)
    }
    guard let slot = layout.slot(named: name), !layout.slots[slot].isTransient else {
      throw refusal(of: name, in: update, reason: "it is not an attribute or to-one relationship of the store")
    }
    if let expression = value as? StrataPredicates.NSExpression {
      let node = try node(of: expression)
      guard case .value(let constant) = node else {
        return update.computed.append(BulkUpdate.Computed(slot: slot, value: layout.flattened(node)))
      }
      return try assign(constant.plain ?? NSNull(), to: key, in: &update)
    }
    if layout.slots[slot].kind == .toOne {
      try relate(value, to: slot, in: &update)
    } else if isNone(value) {
      update.values.page.setNil(row: update.values.index, slot: slot)
    } else if !update.values.page.setValue(value, row: update.values.index, slot: slot) {
      throw refusal(of: name, in: update, reason: layout.slots[slot].kind.refusal(of: value))
    }
    update.constants[slot >> 6] |= 1 << UInt64(slot & 63)
  }

  private func assign(_ value: Any, to composite: CompositeAttribute, in update: inout BulkUpdate) throws {
    var values: [(name: String, value: Any)] = []
    let refused = update
    try composite.spread(isNone(value) ? nil : value) { path, reason in
      refusal(of: path, in: refused, reason: reason)
    } take: { slot, value throws(CocoaError) in
      values.append((refused.layout.slots[slot].name, value ?? NSNull()))
    }
    for (name, value) in values { try assign(value, to: name, in: &update) }
  }

  /// Converts an expression: objects become rows, and `now()` one instant.
  private func node(of expression: StrataPredicates.NSExpression) throws -> ExpressionNode {
    do {
      return try expression.node.fixingNow(at: Date()).mapping { part throws(CocoaError) in
        guard case .value(.reference(let reference)) = part, let id = reference.object as? NSManagedObjectID,
          let row = self.rowID(of: id)
        else { return part }
        return .value(.row(row.bits))
      }
    } catch let error as UnreadableExpressionError {
      throw CocoaError.coreData(.unsupported, error.description, cause: error)
    }
  }

  private func relate(_ value: Any, to slot: Int, in update: inout BulkUpdate) throws {
    if isNone(value) { return }
    let property = update.layout.slots[slot]
    guard let id = (value as? NSManagedObject)?.objectID ?? value as? NSManagedObjectID,
      property.relationship?.leads(to: model.layout(number: try savedRowID(id).entity)) == true
    else {
      let wanted = property.relationship?.destination.name ?? ""
      throw refusal(
        of: property.name, in: update, reason: "\(value) is neither an object of '\(wanted)' nor the id of one")
    }
    update.values.page.setReference(try savedRowID(id), row: update.values.index, slot: slot)
  }

  private func refusal(of name: String, in update: BulkUpdate, reason: String) -> CocoaError {
    .coreData(.unsupported, "A batch update cannot set '\(update.layout.name).\(name)': \(reason).")
  }
}

extension BulkInsertion.Conflict {
  /// The conflict resolution that corresponds to a merge policy; a custom policy is mapped to the most similar one.
  init(_ policy: Any) {
    self =
      switch (policy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType {
      case .errorMergePolicyType: .fail
      case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: .keepStored
      case .mergeByPropertyObjectTrumpMergePolicyType: .takeGiven
      case .overwriteMergePolicyType: .takeAll
      }
  }
}
