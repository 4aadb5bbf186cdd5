import SwiftData

/// The random steps.
extension ModelSession {
  /// Performs a step, and compares.
  public func perform(_ step: Step) throws {
    written = []
    let watch = step.c % 3 == 0 ? Watch(self) : nil
    try run(step)
    // Delete rules are applied with the next fetch or save, or by this.
    if space.hasUnprocessedDeletion {
      space.hasUnprocessedDeletion = false
      note("context.processPendingChanges()")
      space.context.processPendingChanges()
    }
    try watch?.check(self, step.operation)
    for each in spaces where each === space || step.operation == .save { try compare(each, way: step.d / 7) }
  }

  /// Performs a step.
  func run(_ step: Step) throws {
    switch step.operation {
    case .make: make(step)
    case .insert: try insert(step)
    case .insertAgain: try insertAgain(step)
    case .setName, .setNumber, .setCode: try setAttribute(step)
    case .swapCodes: try swapCodes(step)
    case .link, .unlink, .replace: try setLink(step)
    case .delete: try delete(step)
    case .save: if try !save(space), step.a % 2 == 0 { try rollback(space) }
    case .rollback: try rollback(space)
    case .process: space.context.processPendingChanges()
    case .fetch: try fetch(step)
    case .identify: if let key = space.graph.liveKeys.choose(step.a) { try compareIdentifier(key, in: space) }
    case .release: release(step)
    case .switchContext:
      try settle()
      activate(step.a)
    case .reopen:
      try settle()
      space.reopen()
    case .interleave: try interleave(step)
    }
  }

  /// Saves, and compares everything with the store.
  public func finish() throws {
    try settle()
    for space in spaces { try compare(space, way: 15) }
    try compareStore()
  }

  // MARK: Models

  private func make(_ step: Step) {
    guard let kind = Kind.allCases.choose(step.a) else { return }
    let key = makeKey()
    var record = PlainGraph.Record(kind: kind)
    let model: any GraphModel
    switch kind {
    case .team: model = GraphTeam(key: key)
    case .person: model = GraphPerson(key: key)
    case .badge:
      let code = step.b % 8 == 0 ? "c\(step.c % 4)" : "k\(key)"
      record.code = code
      model = GraphBadge(key: key, code: code)
    case .tag: model = GraphTag(key: key)
    case .task:
      guard let teamKey = candidates(.team).choose(step.b), let team = try? space.model(teamKey) as? GraphTeam else {
        return
      }
      record.links["team"] = [teamKey]
      space.hold(team, as: teamKey)
      model = GraphTask(key: key, team: team)
    }
    (record.name, record.number) = ("n\(step.c % 5)", step.d % 3 == 0 ? nil : step.d % 4)
    (model.name, model.number) = (record.name, record.number)
    note("let o\(key) = \(type(of: model))(\(record))")
    space.detached.records[key] = record
    space.hold(model, as: key)
  }

  private func candidates(_ kind: Kind? = nil) -> [Int] {
    let detached = space.detached.records.filter { kind == nil || $0.value.kind == kind }.keys.sorted()
    return (kind.map { space.graph.liveKeys($0) } ?? space.graph.liveKeys) + detached
  }

  private func insert(_ step: Step) throws {
    guard let key = space.detached.records.keys.sorted().choose(step.a) else { return }
    let model = try space.model(key)
    note("context.insert(o\(key))    // and \(space.detached.reach(from: key))")
    space.context.insert(model)
    insertDetached(key)
  }

  private func insertDetached(_ key: Int) {
    for key in space.detached.insert(key, into: &space.graph) {
      if key % 3 == 0 { space.release(key) }
    }
  }

  private func insertAgain(_ step: Step) throws {
    let deleted = space.held.keys.filter { space.graph.records[$0]?.isDeleted == true }
    guard let key = (space.gone.keys + deleted).sorted().choose(step.a), let model = space.held[key] else { return }
    note("context.insert(o\(key))    // again")
    space.context.insert(model)
    if let record = space.gone.removeValue(forKey: key) {
      space.graph.records[key] = record
    } else {
      space.graph.takeBackDeletion(of: key, isSaved: saved.isLive(key))
    }
  }

  private func delete(_ step: Step) throws {
    guard let key = space.graph.liveKeys.choose(step.a) else { return }
    let model = try space.model(key)
    note("context.delete(o\(key))")
    space.context.delete(model)
    space.graph.delete(key)
    space.hasUnprocessedDeletion = true
    scrub(space)
  }

  private func release(_ step: Step) {
    let keys = space.held.keys.sorted()
    note("release \(step.b % 3 == 0 ? "all" : "one")")
    for key in step.b % 3 == 0 ? keys : [keys.choose(step.a)].compactMap(\.self) { space.release(key) }
  }

  // MARK: Attributes

  private func setAttribute(_ step: Step) throws {
    let kind: Kind? = step.operation == .setCode ? .badge : nil
    guard
      let key = (candidates(kind) + space.gone.keys.filter { kind == nil || space.gone[$0]?.kind == kind }.sorted())
        .choose(step.a)
    else { return }
    let model = try space.model(key)
    func change(_ body: (inout PlainGraph.Record) -> Void) {
      guard var record = space.detached.records[key] ?? space.gone[key] ?? space.graph.records[key] else { return }
      body(&record)
      if space.detached.records[key] != nil {
        space.detached.records[key] = record
      } else if space.gone[key] != nil {
        space.gone[key] = record
      } else {
        space.graph.records[key] = record
      }
    }
    switch step.operation {
    case .setName:
      note("o\(key).name = \"n\(step.b % 5)\"")
      model.name = "n\(step.b % 5)"
      change { $0.name = "n\(step.b % 5)" }
      wrote(key, "name")
    case .setNumber:
      let number = step.b % 3 == 0 ? nil : step.b % 4
      note("o\(key).number = \(number.map(String.init) ?? "nil")")
      model.number = number
      change { $0.number = number }
      wrote(key, "number")
    default:
      let code = step.b % 2 == 0 ? "c\(step.c % 4)" : "k\(key)"
      note("o\(key).code = \"\(code)\"")
      (model as? GraphBadge)?.code = code
      change { $0.code = code }
      wrote(key, "code")
    }
  }

  private func wrote(_ key: Int, _ name: String) { written.insert("\(key).\(name)") }

  private func swapCodes(_ step: Step) throws {
    let badges = space.graph.liveKeys(.badge)
    guard let first = badges.choose(step.a), let second = badges.choose(step.b),
      let one = try space.model(first) as? GraphBadge, let other = try space.model(second) as? GraphBadge
    else { return }
    note("(o\(first).code, o\(second).code) = (o\(second).code, o\(first).code)")
    (one.code, other.code) = (other.code, one.code)
    let codes = (space.graph.records[first]?.code, space.graph.records[second]?.code)
    space.graph.records[first]?.code = codes.1
    space.graph.records[second]?.code = codes.0
    wrote(first, "code")
    wrote(second, "code")
  }

  // MARK: Relationships

  private func setLink(_ step: Step) throws {
    guard let key = candidates().choose(step.a) else { return }
    let detached = space.detached.records[key]
    guard let record = detached ?? space.graph.records[key], let link = record.kind.links.choose(step.b) else { return }
    let old = detached == nil ? space.graph.targets(link.name, of: key) : record.links[link.name] ?? []
    let choice = candidates(link.destination)
    var new: [Int]
    switch step.operation {
    case .unlink:
      guard !link.isRequired, let removed = old.choose(step.c) else { return }
      new = old.filter { $0 != removed }
    case .replace where link.isToMany:
      new = choice.indices.filter { (step.c >> ($0 % 16)) % 4 == 0 }.map { choice[$0] }
    default:
      guard let target = choice.choose(step.c), !old.contains(target) else { return }
      new = link.isToMany ? old + [target] : [target]
    }
    if step.operation == .replace, step.d % 2 == 0 { new = new.reversed() }
    // Targets in the context must be retained: a model without a context names them.
    let (model, targets) = (try space.model(key), try new.map(space.model))
    if detached != nil {
      guard space.detached.canSet(link, of: key, to: new) else { return }
      for (key, target) in zip(new, targets) { space.hold(target, as: key) }
      note("o\(key).\(link.name) = \(new)    // in no context")
      return setDetached(link.name, of: key, to: new, in: space)
    }
    note("o\(key).\(link.name) = \(new)")
    link.write(model, targets)
    for target in new where space.detached.records[target] != nil {
      insertDetached(target)
      // It is inserted with its own relationships first.
      written.insert("*")
    }
    space.graph.set(link.name, of: key, to: new)
    wrote(key, link.name)
  }

  // MARK: Fetches

  private func fetch(_ step: Step) throws {
    guard let kind = Kind.allCases.choose(step.a) else { return }
    let query: Query =
      switch step.b % 5 {
      case 0: .all
      case 1: .key(step.c % 40)
      case 2: .number(step.c % 4 == 0 ? nil : step.c % 4)
      case 3: .nameBefore("n\(step.c % 5)")
      default: .related(space.graph.liveKeys.choose(step.c) ?? 0)
      }
    let (offset, limit) = (step.d % 3 == 0 ? step.d % 5 : nil, step.d % 2 == 0 ? 1 + step.d % 4 : nil)
    note("fetch \(kind) \(query) \(offset ?? 0) \(limit ?? 0)")
    try compareFetch(kind, query, offset: offset, limit: limit, in: space)
  }
}
