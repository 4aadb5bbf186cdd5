import CoreData
import Foundation
import StrataQuakes

// Decisions that need the whole body.

extension BodyImport {
  /// Decides what unknown events are that share an ID with stored ones: a stored one under a new ID, a stored one's
  /// past, or events of their own.
  mutating func settleOverlaps() throws {
    let events = overlapping
    overlapping = []
    var index = AliasIndex()
    for part in events.parts(of: Self.chunkSize) {
      try index.add(part.flatMap { [$0.identifier] + $0.otherIDs }, fetch: self)
    }
    for event in events {
      try checkStop()
      settle(event, among: &index)
    }
  }

  private mutating func settle(_ event: ParsedEvent, among index: inout AliasIndex) {
    let sharing = index.quakes(sharing: [event.identifier] + event.otherIDs)
    let others = sharing.filter { isFormerSelf($0, of: event) }
    let said = recordTime(of: event).said
    let older = others.filter { said >= log.lastSaid(of: $0) }
    if let quake = best(older, for: event) {
      let former = quake.identifier ?? ""
      settled.insert(quake.objectID)
      let changes = quake.record(event, at: recordTime(of: event))
      count(changes, of: quake, by: event)
      if changes[.standing] != nil { judge(quake, toldBy: event) }
      quake.addAliases([former])
      index.rename(quake, from: former)
      gainedIDs.append((event.identifier, event.otherIDs))
    } else if let quake = best(others, for: event) {
      quake.addAliases([event.identifier] + event.otherIDs)
      recordPast(event, of: quake)
    } else {
      insert(event)
      mergeIfPart(event, among: sharing)
    }
  }

  /// Whether a stored earthquake may be an event under its former ID: it is not an event of its own in this body, and its
  /// ID comes from another source, because two IDs of one source are two events.
  private func isFormerSelf(_ quake: Quake, of event: ParsedEvent) -> Bool {
    guard quake.service == metadata.service, let identifier = quake.identifier, !listed.contains(identifier) else {
      return false
    }
    return quake.network != event.network || quake.network == nil
  }

  /// The one whose own ID the event has; a live one first; the one nearest in time.
  private func best(_ quakes: [Quake], for event: ParsedEvent) -> Quake? {
    let ids = Set(event.otherIDs)
    return quakes.min { first, second in rank(first, ids: ids, event: event) < rank(second, ids: ids, event: event) }
  }

  private func rank(_ quake: Quake, ids: Set<String>, event: ParsedEvent) -> (Int, Int16, TimeInterval, String) {
    let identifier = quake.identifier ?? ""
    let distance = abs(event.time.timeIntervalSince(quake.time ?? .distantPast))
    return (ids.contains(identifier) ? 0 : 1, quake.standing, distance, identifier)
  }

  /// An event of an older body became part of another if that one has its ID and was said later, and no later body has
  /// the event itself: it would be stored.
  private mutating func mergeIfPart(_ event: ParsedEvent, among sharing: [Quake]) {
    guard !event.isDeleted, let quake = insertedQuake(event.identifier) else { return }
    let time = recordTime(of: event)
    let mains = sharing.filter { main in
      main.standingValue == .live && main.network != quake.network && log.lastSaid(of: main) > time.said
        && main.ids?.contains(",\(event.identifier),") == true
    }
    guard let main = mains.min(by: { ($0.identifier ?? "") < ($1.identifier ?? "") }), let name = main.identifier else {
      return
    }
    if quake.standingValue == .retracted { report.retracted -= 1 }
    let said = max(quake.said ?? time.said, main.said ?? time.said)
    quake.record(.merged, reason: "part of \(name)", main: main, at: RecordTime(said: said, learnt: now))
    report.merged += 1
  }

  /// Merges stored earthquakes whose ID another has gained and that are no longer events of their own.
  mutating func settleGainedIDs() throws {
    let gains = gainedIDs
    gainedIDs = []
    for part in gains.parts(of: Self.chunkSize) {
      try checkStop()
      let ids = part.flatMap(\.gained).filter { !listed.contains($0) }
      let absorbed = try stored(ids)
      guard !absorbed.isEmpty else { continue }
      let mains = try current(part.map(\.identifier))
      for (identifier, gained) in part {
        guard let main = mains[identifier] else { continue }
        for quake in gained.compactMap({ absorbed[$0] }) { merge(quake, into: main) }
      }
    }
  }

  private mutating func merge(_ quake: Quake, into main: Quake) {
    guard quake !== main, !settled.contains(quake.objectID), quake.service == main.service,
      quake.network != main.network, quake.standingValue == .live || quake.standingValue == .joined,
      let said = metadata.generated ?? main.said, let name = main.identifier, said >= log.lastSaid(of: quake)
    else { return }
    settled.insert(quake.objectID)
    quake.record(.merged, reason: "part of \(name)", main: main, at: RecordTime(said: said, learnt: now))
    report.merged += 1
    changeCount += 1
  }

  /// Settles what the service no longer lists: it became part of another event in the body, or the body proves that it
  /// was withdrawn.
  mutating func settleAbsences() throws {
    guard !isFirst, let window else { return }
    let identifiers = try absent(from: window)
    doubted = try doubted(among: identifiers, of: window)
    report.doubted = doubted.count
    for part in identifiers.parts(of: Self.chunkSize) {
      try checkStop()
      try settle(absent: part.filter { !doubted.contains($0) }, from: window)
      try saveEarly()
    }
  }

  /// The IDs of the stored earthquakes that the feed would list and the body does not have.
  private func absent(from window: FeedWindow) throws -> [String] {
    var identifiers: [String] = []
    var start = window.since
    // By days, because a month has many events.
    while start <= window.generated {
      let end = min(start.addingTimeInterval(86_400), window.generated)
      identifiers += try absent(from: window, between: start, and: end)
      start = end.addingTimeInterval(0.001)
    }
    return identifiers
  }

  /// Returns the earthquakes whose absence is not credible yet: the body lacks too many events, and no earlier doubtful body of
  /// the feed lacks these.
  private func doubted(among identifiers: [String], of window: FeedWindow) throws -> Set<String> {
    guard FeedWindow.isDoubtful(missing: identifiers.count, listed: listed.count) else { return [] }
    let doubt = try doubt(before: window)
    var (missing, unconfirmed): (Int, Set<String>) = (0, [])
    for part in identifiers.parts(of: Self.chunkSize) {
      try checkStop()
      let quakes = try fetch(Quake.identified(by: Array(part))).filter { !settled.contains($0.objectID) }
      let mains = try listedMains(of: quakes)
      for quake in quakes where window.provesAbsence(of: quake, by: log) {
        guard let identifier = quake.identifier, mains[identifier] == nil else { continue }
        missing += 1
        // An event that was reported after the doubtful body is missing for the first time.
        let isConfirmed =
          doubt.map { !$0.listed.contains(identifier) && log.lastSaid(of: quake) <= $0.generated } == true
        if !isConfirmed { unconfirmed.insert(identifier) }
      }
    }
    return FeedWindow.isDoubtful(missing: missing, listed: listed.count) ? unconfirmed : []
  }

  /// - Parameter identifiers: of earthquakes that the body does not have; those that it renamed or merged are settled.
  private mutating func settle(absent identifiers: [String], from window: FeedWindow) throws {
    let quakes = try fetch(Quake.identified(by: identifiers)).filter { !settled.contains($0.objectID) }
    let mains = try listedMains(of: quakes)
    for quake in quakes {
      if let main = mains[quake.identifier ?? ""] {
        merge(quake, into: main)
      } else if window.provesAbsence(of: quake, by: log) {
        retract(quake, by: window)
      }
    }
  }

  /// The IDs of the stored earthquakes of a time that the feed would list and the body does not have.
  private func absent(from window: FeedWindow, between start: Date, and end: Date) throws -> [String] {
    let rows = NSFetchRequest<NSDictionary>(entityName: "Quake")
    let standings = [Standing.live.rawValue, Standing.joined.rawValue]
    var parts = [
      NSPredicate(
        format: "service == %@ AND standing IN %@ AND time >= %@ AND time <= %@",
        argumentArray: [metadata.service, standings, start, end])
    ]
    if let minimum = window.minimumMagnitude {
      parts.append(NSPredicate(format: "magnitude >= %@", argumentArray: [minimum]))
    }
    rows.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    rows.resultType = .dictionaryResultType
    rows.propertiesToFetch = ["identifier"]
    rows.sortDescriptors = [NSSortDescriptor(key: "time", ascending: true)]
    rows.fetchLimit = sizes.transaction
    var identifiers: [String] = []
    while true {
      try checkStop()
      let page = try fetch(rows)
      identifiers += page.compactMap { $0["identifier"] as? String }.filter { !listed.contains($0) }
      if page.count < rows.fetchLimit { return identifiers }
      rows.fetchOffset += page.count
    }
  }

  /// The body's events that have the ID of an absent one among their own, by that ID.
  private func listedMains(of quakes: [Quake]) throws -> [String: Quake] {
    var mains: [String: Quake] = [:]
    for alias in try fetch(Alias.identified(by: quakes.compactMap(\.identifier))) {
      guard let identifier = alias.identifier, let quake = alias.quake, listed.contains(quake.identifier ?? ""),
        quake.ids?.contains(",\(identifier),") == true
      else { continue }
      mains[identifier] = quake
    }
    return mains
  }
}

extension FeedWindow {
  func provesAbsence(of quake: Quake, by log: SnapshotLog) -> Bool {
    guard let time = quake.time else { return false }
    return provesAbsence(time: time, lastSaid: log.lastSaid(of: quake))
  }
}

extension FeedWindow {
  /// Why an earthquake is retracted.
  var reason: String { "not in \(feed) of \(ISO8601.text(generated))" }
}

/// Stored earthquakes by every ID that they have.
struct AliasIndex {
  private var quakes: [String: [Quake]] = [:]

  mutating func add(_ identifiers: [String], fetch importing: BodyImport) throws {
    for part in identifiers.parts(of: BodyImport.chunkSize) {
      for quake in try importing.fetch(Quake.identified(by: Array(part))) { insert(quake, as: quake.identifier) }
      for alias in try importing.fetch(Alias.identified(by: Array(part))) { insert(alias.quake, as: alias.identifier) }
    }
  }

  private mutating func insert(_ quake: Quake?, as identifier: String?) {
    guard let quake, let identifier, quakes[identifier]?.contains(quake) != true else { return }
    quakes[identifier, default: []].append(quake)
  }

  func quakes(sharing identifiers: [String]) -> [Quake] {
    var found: [Quake] = []
    for quake in identifiers.flatMap({ quakes[$0] ?? [] }) where !found.contains(quake) { found.append(quake) }
    return found
  }

  /// A renamed earthquake is found by its new ID too.
  mutating func rename(_ quake: Quake, from former: String) {
    insert(quake, as: quake.identifier)
    insert(quake, as: former)
  }
}
