import CoreData
import Foundation
import StrataQuakes

/// Imports one body: finds which events are new, changed or unchanged, and writes only differences.
///
/// Uses a background context and saves once: a body is one transaction, or none if nothing differs.
struct QuakeImport {
  /// Events looked up in one query. SQLite allows up to 32,766 bindings; memory grows with this number.
  static let chunkSize = 1000

  /// Opens or creates the store; called once the body has turned out to be a feed.
  var openStore: () throws -> QuakesContainer
  var location: StoreLocation

  /// Imports and saves the body; blocks until done. Consumes the body, to free it before the save, which needs the most
  /// memory.
  ///
  /// - Parameter tell: called for each part that could not be used.
  /// - Throws: `Failure` if the body is not a feed or the store cannot be written; the store is then unchanged.
  func run(
    _ body: consuming Data, from request: FeedRequest, now: Date, tell: (FeedProblem) -> Void
  ) throws -> ImportReport {
    var body = consume body
    let work = try body.withUnsafeBytes { bytes -> BodyImport in
      let parser = try Self.parser(of: bytes, from: request)
      let context = try openStore().newBackgroundContext()
      return try context.performAndWait {
        context.transactionAuthor = "quakes-fetch"
        var work = BodyImport(context: context, location: location, request: request, now: now)
        try work.take(parser, tell: tell)
        return work
      }
    }
    body = Data()
    return try work.context.performAndWait { try work.save() }
  }

  /// Reads what precedes the events.
  private static func parser(of bytes: UnsafeRawBufferPointer, from request: FeedRequest) throws -> FeedParser {
    do {
      return try FeedParser(bytes)
    } catch {
      throw Failure(.badAnswer, "\(request.name) \(error)", cause: error)
    }
  }
}

/// The import of one body, on its context's queue.
private struct BodyImport {
  let context: NSManagedObjectContext
  let location: StoreLocation
  let request: FeedRequest
  let now: Date

  private var report = ImportReport()
  private var seen: Set<String> = []
  /// Quakes inserted from this body, by id.
  private var inserted: [String: Quake] = [:]

  init(context: NSManagedObjectContext, location: StoreLocation, request: FeedRequest, now: Date) {
    (self.context, self.location, self.request, self.now) = (context, location, request, now)
  }

  /// Applies the body to the context without saving.
  mutating func take(_ parser: FeedParser, tell: (FeedProblem) -> Void) throws {
    var parser = parser
    var chunk: [ParsedEvent] = []
    chunk.reserveCapacity(QuakeImport.chunkSize)
    while let item = parser.next() {
      switch item {
      case .problem(let problem):
        report.note(problem)
        tell(problem)
      case .event(let event): chunk.append(event)
      }
      if chunk.count == QuakeImport.chunkSize { try merge(&chunk) }
    }
    try merge(&chunk)
    if report.isUsable { try log(parser.metadata) }
    (seen, inserted) = ([], [:])
  }

  private mutating func merge(_ events: inout [ParsedEvent]) throws {
    guard !events.isEmpty else { return }
    let known = try existing(events.map(\.identifier))
    for event in events {
      let isRepeated = !seen.insert(event.identifier).inserted
      if isRepeated { report.repeated += 1 }
      if let quake = known[event.identifier] ?? inserted[event.identifier] {
        update(quake, with: event)
      } else {
        let quake = Quake(context: context)
        _ = quake.adopt(event)
        inserted[event.identifier] = quake
        report.new += 1
      }
    }
    events.removeAll(keepingCapacity: true)
  }

  private func existing(_ identifiers: [String]) throws -> [String: Quake] {
    do {
      let quakes = try context.fetch(Quake.identified(by: identifiers))
      return Dictionary(quakes.map { ($0.identifier ?? "", $0) }) { first, _ in first }
    } catch {
      throw Failure.reading(location, error: error)
    }
  }

  /// Ignores a state older than the stored one, which comes from a cached feed.
  private mutating func update(_ quake: Quake, with event: ParsedEvent) {
    if let stored = quake.updated, let told = event.updated, told < stored {
      report.unchanged += 1
    } else if quake.adopt(event) {
      report.changed += 1
    } else {
      report.unchanged += 1
    }
  }

  /// Records the fetch, unless the very same body was recorded before: then the import changes nothing.
  private func log(_ metadata: FeedMetadata) throws {
    let feed = try context.fetch(Feed.named(request.name)).first
    let isSame = feed != nil && feed?.generated == metadata.generated && feed?.lastStatus == "ok"
    if isSame, report.new + report.changed == 0 { return }
    let entry = feed ?? Feed(context: context)
    entry.name = request.name
    if case .web(let url) = request.source { entry.url = url }
    (entry.generated, entry.lastFetched, entry.lastSucceeded) = (metadata.generated, now, now)
    (entry.lastStatus, entry.failingSince) = ("ok", nil)
    (entry.newCount, entry.changedCount) = (Int32(clamping: report.new), Int32(clamping: report.changed))
    (entry.unchangedCount, entry.badCount) = (Int32(clamping: report.unchanged), Int32(clamping: report.bad))
  }

  /// Saves and returns the result.
  func save() throws -> ImportReport {
    guard context.hasChanges else { return report }
    do {
      try context.save()
    } catch {
      throw Failure.saving(location, error: error)
    }
    return report
  }
}
