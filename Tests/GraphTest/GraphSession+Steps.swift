import CoreData

/// The random steps.
extension GraphSession {
  private static let maximumObjects = 14
  private static let texts = ["x", "y", "z", "u", "v"]
  /// Entities with many relationships are chosen more often.
  private static let entities = [
    "Person", "Person", "Editor", "Work", "Work", "Work", "Album", "Shelf", "Shelf", "Chapter", "Chapter", "Note",
    "Tag",
    "Tag",
  ]

  func perform(_ step: Step) throws {
    guard let context = editable.choose(step.a) else { return }
    try perform(step, in: context)
    if step.d % 5 == 0, let any = contexts.choose(step.d / 5) { try compareAll(any, way: step.d / 50) }
  }

  /// Performs a step in a context, which need not be the active one.
  func perform(_ step: Step, in context: GraphContext) throws {
    switch step.operation {
    case .insert: try insert(step, in: context)
    case .setText, .setNumber: try setValue(step, in: context)
    case .swapUnique: try swapUnique(step, in: context)
    case .setTarget: try setTarget(step, in: context)
    case .add, .remove, .insertMember, .replace: try changeMembers(step, in: context)
    case .touchTransient: try touchTransient(step, in: context)
    case .delete: if let key = context.graph.liveKeys.choose(step.b) { try perform(.delete(key), in: context) }
    case .save: if try !save(context, policy: step.b), step.c % 4 > 0 { try rollback(roots[active]) }
    case .saveAll: try settle(policy: step.b)
    case .rollback: try rollback(context)
    case .reset: try rollback(context, byReset: true)
    case .undo: undo(in: context, isRedo: false)
    case .redo: undo(in: context, isRedo: true)
    case .refreshAll: if let any = contexts.choose(step.b) { try refreshAll(any) }
    case .refresh: try refresh(step)
    case .dropReferences:
      guard let any = contexts.choose(step.b) else { return }
      log("\(any.name): release all objects")
      any.dropAll()
    case .readSome: try readSome(step)
    case .readAll: if let any = contexts.choose(step.b) { try compareAll(any, way: step.c) }
    case .fetch: try fetch(step)
    case .switchRoot: try switchRoot(to: step.b, policy: step.c)
    case .batch: try batch(step)
    case .conflict: try conflict(step)
    case .interleave: try interleave(step)
    case .commitElsewhere: try commitElsewhere(step)
    case .saveTogether: try saveTogether(step)
    }
  }

  private func insert(_ step: Step, in context: GraphContext) throws {
    guard context.graph.liveKeys.count < Self.maximumObjects else { return }
    guard let entity = Self.entities.choose(step.b) else { return }
    let key = makeKey()
    try perform(.insert(key, entity: entity), in: context)
    guard GraphSchema.isKind(entity, of: GraphSchema.unique.entity) else { return }
    let free = Self.texts.filter { !isUsed($0, in: context.graph) }
    if let text = free.choose(step.c) { try perform(.setText(key, GraphSchema.unique.attribute, text), in: context) }
  }

  private func isUsed(_ code: String, in graph: Graph) -> Bool {
    graph.liveKeys(of: GraphSchema.unique.entity).contains { graph.text(GraphSchema.unique.attribute, of: $0) == code }
  }

  private func setValue(_ step: Step, in context: GraphContext) throws {
    guard let key = context.graph.liveKeys.choose(step.b) else { return }
    let entity = context.graph.entity(of: key)
    if step.operation == .setText, let name = GraphSchema.texts(of: entity).choose(step.c) {
      let text = step.d % 6 == 0 ? nil : Self.texts.choose(step.d / 6)
      // Duplicates of a unique value are rare.
      if name == GraphSchema.unique.attribute, let text, step.d % 7 > 0, isUsed(text, in: context.graph) { return }
      try perform(.setText(key, name, text), in: context)
    } else if let name = GraphSchema.numbers(of: entity).choose(step.c) {
      try perform(.setNumber(key, name, step.d % 6 == 0 ? nil : step.d % 100), in: context)
    }
  }

  /// Exchanges the unique values of two objects.
  private func swapUnique(_ step: Step, in context: GraphContext) throws {
    let (entity, name) = GraphSchema.unique
    let keys = context.graph.liveKeys(of: entity)
    guard let one = keys.choose(step.b), let other = keys.filter({ $0 != one }).choose(step.c) else { return }
    let (first, second) = (context.graph.text(name, of: one), context.graph.text(name, of: other))
    try perform(.setText(one, name, second), in: context)
    try perform(.setText(other, name, first), in: context)
  }

  private func relationship(
    _ step: Step, in graph: Graph, where fits: (GraphSchema.Relationship) -> Bool
  ) -> (key: Int, relationship: GraphSchema.Relationship)? {
    guard let key = graph.liveKeys.choose(step.b) else { return nil }
    let relationships = GraphSchema.relationships(of: graph.entity(of: key)).filter { !$0.isTransient && fits($0) }
    return relationships.choose(step.c).map { (key, $0) }
  }

  private func setTarget(_ step: Step, in context: GraphContext) throws {
    let graph = context.graph
    guard let (key, relationship) = relationship(step, in: graph, where: { !$0.isToMany }) else { return }
    let targets = graph.liveKeys(of: relationship.destination).filter { $0 != key || relationship.name != "spouse" }
    let target = step.d % 5 == 0 ? nil : targets.choose(step.d / 5)
    try perform(.setTarget(key, relationship.name, target), in: context)
  }

  private func changeMembers(_ step: Step, in context: GraphContext) throws {
    let graph = context.graph
    let needsOrder = step.operation == .insertMember
    guard
      let (key, relationship) = relationship(step, in: graph, where: { $0.isToMany && (!needsOrder || $0.isOrdered) })
    else { return }
    let name = relationship.name
    let members = graph.members(name, of: key)
    // Deleted members still have an index, which may differ between the model and a context.
    guard members.count == graph.records[key]?.many[name]?.count ?? 0 else { return }
    let others = graph.liveKeys(of: relationship.destination).filter { graph.canJoin($0, relationship, of: key) }
    let way = step.d % 2
    switch step.operation {
    case .remove:
      if let member = members.choose(step.d / 2) { try perform(.remove(key, name, member, way: way), in: context) }
    case .insertMember:
      guard let member = others.choose(step.d / 2), !members.contains(member) else { return }
      let index = step.d / 64 % (members.count + 1)
      try perform(.insertMember(key, name, member, at: index, way: way), in: context)
    case .replace:
      try perform(.replace(key, name, arrangement(of: others, members, step.d / 2), way: way), in: context)
    default:
      if let member = others.choose(step.d / 2) { try perform(.add(key, name, member, way: way), in: context) }
    }
  }

  /// Returns new members: some of the old ones in reverse order, and some others.
  private func arrangement(of others: [Int], _ members: [Int], _ number: Int) -> [Int] {
    var new: [Int] = []
    for (index, member) in members.reversed().enumerated() where number >> (index % 8) & 1 == 0 { new.append(member) }
    for index in 0..<(number / 256 % 3) {
      if let other = others.choose(number / 7 + index * 3), !new.contains(other) { new.append(other) }
    }
    return new
  }

  /// Changes a transient relationship, which is not stored. Its members depend on which objects were turned into faults,
  /// so they are not compared. Nothing else may change.
  private func touchTransient(_ step: Step, in context: GraphContext) throws {
    let people = context.graph.liveKeys(of: "Person")
    guard let host = people.choose(step.b), let guest = people.choose(step.c) else { return }
    log("\(context.name): o\(host).mutableSetValue(forKey: \"guests\").add(o\(guest))")
    let before = context.graph
    try context.perform {
      try context.group { try context.object(host).mutableSetValue(forKey: "guests").add(context.object(guest)) }
    }
    didChange(context, from: before)
  }

  private func refresh(_ step: Step) throws {
    guard let context = contexts.choose(step.b), let key = context.graph.liveKeys.choose(step.c) else { return }
    try context.perform {
      let object = try context.object(key)
      let merges = object.hasChanges || step.d % 2 == 0
      log("\(context.name): context.refresh(o\(key), mergeChanges: \(merges))")
      context.context.refresh(object, mergeChanges: merges)
    }
  }

  private func readSome(_ step: Step) throws {
    guard let context = contexts.choose(step.b) else { return }
    for part in 0..<3 {
      guard let key = context.graph.liveKeys.choose(step.c / (part + 1)) else { return }
      log("\(context.name): read(o\(key), way: \((step.d + part) % 4))")
      try compare(key, in: context, way: step.d + part)
    }
  }
}
