import CoreData
import Foundation
import StrataQuakes

/// The import of one body, on its context's queue: compares its contents with the store's.
///
/// Events are judged one by one as they are read; what only the whole body shows (which IDs are no longer events of
/// their own, which events are gone) is settled after the last.
struct BodyImport {
  /// Events looked up in one query, by their weight. SQLite allows up to 32,766 bindings; memory grows with this number.
  static let chunkSize = 1000
  let context: NSManagedObjectContext
  let location: StoreLocation
  let request: FeedRequest
  let now: Date
  let limits: JoinLimits
  /// nil without a Reference store.
  var cities: CityGrid?
  /// Whether to give up. What was saved by then stays.
  var isStopped: () -> Bool = { false }

  /// Limits on objects in memory.
  struct Sizes: Sendable {
    /// Objects changed in one transaction, by the weight of what changed them. Most bodies are one transaction.
    /// The part of a larger one that a killed worker leaves is complete after the next import.
    var transaction = 10_000
    /// Events and IDs that are only resolved at the body's end. Most bodies have few.
    var unsettled = 20_000
  }

  var sizes = Sizes()
  var report = ImportReport()
  /// The service's metadata and the contents of earlier snapshots.
  var metadata: FeedMetadata
  private(set) var log: SnapshotLog
  /// Whether the store had no events before.
  let isFirst: Bool
  /// Whether the body was read to its end and has all of its events.
  private(set) var isWhole = false
  /// The IDs that are events of their own in this body.
  var listed = BodyIDs()
  /// Unknown events that share an ID with a stored one.
  var overlapping: [ParsedEvent] = []
  /// Ids that known events have gained, by the event's own.
  var gainedIDs: [(identifier: String, gained: [String])] = []
  /// Stored earthquakes that this body lacks, but not credibly: it lacks too many.
  var doubted: Set<String> = []
  /// Stored earthquakes that this body renamed or merged.
  var settled: Set<NSManagedObjectID> = []

  /// The origin times of the events whose place in time or space is new.
  private(set) var touchedTimes: ClosedRange<Date>?

  /// The weight of what is not saved.
  var changeCount = 0
  /// Quakes inserted from this body and not saved, by ID.
  private var inserted: [String: Quake] = [:]

  init(
    _ document: EventDocument, context: NSManagedObjectContext, location: StoreLocation, request: FeedRequest,
    now: Date,
    limits: JoinLimits
  ) throws(Failure) {
    (self.context, self.location, self.request, self.now) = (context, location, request, now)
    self.limits = limits
    metadata = Self.metadata(of: document, request: request, now: now)
    do {
      log = try SnapshotLog(of: metadata.service, judging: metadata.generated, in: context)
      let any = Quake.fetchRequest()
      any.fetchLimit = 1
      isFirst = try context.fetch(any).isEmpty
    } catch {
      throw Failure.reading(location, error: error)
    }
  }

  /// The body's metadata. A service's response without a generation time was generated now, unless its events are ordered by
  /// their updates: a list that was requested before a message may arrive after it. The times and magnitudes of Atom are too
  /// coarse to overwrite known values.
  private static func metadata(of document: EventDocument, request: FeedRequest, now: Date) -> FeedMetadata {
    var metadata = document.metadata
    metadata.recognizeFeed(requestedAs: request.name)
    let isDated = request.isOrderedByUpdates || document.format == .atom
    if metadata.generated == nil, request.url != nil, !isDated { metadata.generated = now }
    return metadata
  }

  /// Imports the body and saves.
  mutating func run(_ document: EventDocument, onProblem: (FeedProblem) -> Void) throws -> ImportReport {
    try read(document, onProblem: onProblem)
    guard report.isUsable else { return report }
    try settleOverlaps()
    try settleGainedIDs()
    try settleAbsences()
    try settleReports()
    try recordSnapshot()
    try recordFetch()
    try save()
    return report
  }

  private mutating func read(_ document: EventDocument, onProblem: (FeedProblem) -> Void) throws {
    var document = document
    var (chunk, weight): ([ParsedEvent], Int) = ([], 0)
    while let item = document.next() {
      try checkStop()
      switch item {
      case .problem(let problem):
        report.note(problem)
        onProblem(problem)
      case .event(let event):
        chunk.append(event)
        weight += event.weight
      }
      if weight >= Self.chunkSize {
        try merge(&chunk)
        weight = 0
      }
    }
    try merge(&chunk)
    isWhole = document.isComplete
    metadata = Self.metadata(of: document, request: request, now: now)
  }

  func checkStop() throws(Failure) {
    guard isStopped() else { return }
    throw Failure(.busy, "\(request.name) was not imported to its end: asked to stop")
  }

  private mutating func merge(_ events: inout [ParsedEvent]) throws {
    guard !events.isEmpty else { return }
    let known = try stored(events.map(\.identifier))
    var unknown: [ParsedEvent] = []
    for event in events {
      let isRepeated = !listed.insert(event.identifier)
      if isRepeated { report.repeated += 1 }
      if let quake = known[event.identifier] ?? inserted[event.identifier] {
        update(quake, with: event)
      } else if let first = isRepeated ? unknown.firstIndex(where: { $0.identifier == event.identifier }) : nil {
        unknown[first] = event
        report.unchanged += 1
      } else {
        unknown.append(event)
      }
    }
    try insert(unknown)
    events = []
    guard overlapping.count + gainedIDs.reduce(0, { $0 + $1.gained.count }) <= sizes.unsettled else {
      throw Failure(.badResponse, "\(request.name) changes the IDs of more than \(sizes.unsettled) earthquakes")
    }
    try saveEarly()
  }

  /// Saves if enough has changed.
  mutating func saveEarly() throws {
    guard changeCount >= sizes.transaction else { return }
    try save()
    context.reset()
    inserted = [:]
    changeCount = 0
  }

  private mutating func insert(_ events: [ParsedEvent]) throws {
    let taken = isFirst ? [] : try takenIDs(among: events.flatMap { [$0.identifier] + $0.otherIDs })
    for event in events {
      if !taken.isEmpty, taken.contains(event.identifier) || event.otherIDs.contains(where: taken.contains) {
        overlapping.append(event)
      } else {
        insert(event)
      }
    }
  }

  /// Inserts an event that no stored one is. A newer snapshot may have shown already that it was withdrawn.
  mutating func insert(_ event: ParsedEvent) {
    let time = recordTime(of: event)
    let quake = Quake(context: context)
    quake.begin(event, service: metadata.service, at: time)
    if let cities { quake.findCity(in: cities) }
    inserted[event.identifier] = quake
    report.new += 1
    changeCount += event.weight
    touch(event.time)
    judge(quake, toldBy: event)
  }

  /// Retracts an event that is live in this body if a newer snapshot that was imported earlier does not have it.
  mutating func judge(_ quake: Quake, toldBy event: ParsedEvent) {
    let said = recordTime(of: event).said
    guard quake.standingValue == .live, let window = log.withdrawal(ofEventAt: event.time, after: said) else { return }
    retract(quake, by: window)
  }

  mutating func retract(_ quake: Quake, by window: FeedWindow) {
    quake.record(.retracted, reason: window.reason, at: RecordTime(said: window.generated, learnt: now))
    report.retracted += 1
    changeCount += 1
    if let time = quake.time { touch(time) }
  }

  private mutating func touch(_ time: Date) {
    let former = touchedTimes ?? time...time
    touchedTimes = min(former.lowerBound, time)...max(former.upperBound, time)
  }

  /// Records the document of a known event, as its present or as its past state.
  mutating func update(_ quake: Quake, with event: ParsedEvent) {
    let time = recordTime(of: event)
    let former = quake.ids
    switch order(of: event, after: quake) {
    case .newer:
      let changes = quake.record(event, at: time)
      count(changes, of: quake, by: event)
      if changes[.standing] != nil { judge(quake, toldBy: event) }
      if event.presentFields.contains(.ids), former != event.ids, !event.otherIDs.isEmpty {
        gainedIDs.append((event.identifier, event.otherIDs))
      }
    case .older:
      recordPast(event, of: quake)
    case .same where quake.complete(event):
      report.changed += 1
      changeCount += event.weight
    case .same:
      report.unchanged += 1
    }
  }

  mutating func recordPast(_ event: ParsedEvent, of quake: Quake) {
    report.unchanged += 1
    switch quake.recordPast(event, at: recordTime(of: event), confirmed: log.lastSaid(of: quake)) {
    case .nothing: return
    case .earlierTime: report.dated += 1
    case .state:
      report.past += 1
      // A withdrawn event keeps its last position.
      if let cities { quake.findCity(in: cities) }
    }
    changeCount += event.weight
  }

  /// Counts what was recorded of a known event.
  mutating func count(_ changes: QuakeState.Changes, of quake: Quake, by event: ParsedEvent) {
    guard !changes.isEmpty else {
      report.unchanged += 1
      return
    }
    report.changed += 1
    if changes[.time] != nil || changes[.latitude] != nil || changes[.longitude] != nil || changes[.standing] != nil {
      touch(quake.time ?? now)
      // A report that was near may not be any more.
      if case .some(.date(let former)?) = changes[.time] { touch(former) }
    }
    if let cities, changes[.latitude] != nil || changes[.longitude] != nil { quake.findCity(in: cities) }
    if changes[.updated] == nil { report.silent += 1 }
    if changes[.identifier] != nil { report.renamed += 1 }
    changeCount += event.weight
  }

  func insertedQuake(_ identifier: String) -> Quake? { inserted[identifier] }
}
