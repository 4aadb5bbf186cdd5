import CoreData
import Foundation
import StrataQuakes

/// Joins reports of the same earthquake by several agencies, and separates those that no longer are the same.
///
/// The report of the main agency stays in the lists, and the others lead to it. What is joined depends on the reports
/// alone, not on the order in which they came.
public struct ReportSettlement {
  let context: NSManagedObjectContext
  let limits: JoinLimits
  let now: Date
  /// Called between parts of many; what it throws ends the settlement.
  var checkStop: () throws -> Void = {}

  /// The maximum number of reports in memory. Most bodies have fewer in their time.
  var maximumReports = 10_000

  /// The number of reports that were joined.
  public private(set) var joined = 0
  /// The number of reports that were separated.
  public private(set) var separated = 0

  init(context: NSManagedObjectContext, limits: JoinLimits, now: Date) {
    (self.context, self.limits, self.now) = (context, limits, now)
  }

  /// Seconds within which a report may decide what another is joined to, whatever the limits are now.
  private var reach: TimeInterval { max(limits.seconds, JoinLimits().seconds) + ReportOrigin.maximumTimeSpan }

  /// Settles the reports with these origin times, and those within their reach. Saves if they are many.
  ///
  /// - Throws: the error of a fetch or a save.
  mutating func settle(_ times: ClosedRange<Date>) throws {
    var first = times.lowerBound.addingTimeInterval(-reach)
    let last = times.upperBound.addingTimeInterval(reach)
    let all = reports(from: first.addingTimeInterval(-margin), to: last.addingTimeInterval(margin))
    guard try storedCount(of: all) > maximumReports else {
      return judge(try context.fetch(all), from: first, to: last)
    }
    while first <= last {
      try checkStop()
      if context.hasChanges { try context.save() }
      context.reset()
      first = try settlePart(from: first, to: last)
    }
  }

  /// Without what is not saved, which is little, and with which all would be read.
  private func storedCount(of request: NSFetchRequest<Quake>) throws -> Int {
    request.includesPendingChanges = false
    defer { request.includesPendingChanges = true }
    return try context.count(for: request)
  }

  /// The maximum distance in time of a report's neighbors and their neighbors.
  private var margin: TimeInterval { 2 * reach }

  /// Settles as many as may be in memory.
  ///
  /// - Returns: where the others begin.
  private mutating func settlePart(from first: Date, to last: Date) throws -> Date {
    let request = reports(from: first.addingTimeInterval(-margin), to: last.addingTimeInterval(margin))
    request.fetchLimit = maximumReports
    var found = try context.fetch(request)
    guard found.count == maximumReports, let newest = found.last?.time else {
      judge(found, from: first, to: last)
      return .distantFuture
    }
    let end = newest.addingTimeInterval(-margin)
    if end > first {
      judge(found, from: first, to: end)
      return after(end)
    }
    // So many events in a minute are not earthquakes: those that fit in memory are settled among themselves.
    let crowd = reports(from: first, to: last)
    crowd.fetchLimit = maximumReports
    found = try context.fetch(crowd)
    guard let newest = found.last?.time else { return .distantFuture }
    judge(found, from: first, to: newest)
    return after(newest)
  }

  private func after(_ time: Date) -> Date {
    Date(timeIntervalSinceReferenceDate: time.timeIntervalSinceReferenceDate.nextUp)
  }

  /// The reports at the edges lack neighbors, so they are not judged.
  private mutating func judge(_ reports: [Quake], from first: Date, to last: Date) {
    var join = ReportJoin(limits: limits)
    for quake in reports { join.add(quake) }
    for decision in join.decisions() where (first...last).contains(decision.quake.time ?? .distantPast) {
      apply(decision)
    }
  }

  private mutating func apply(_ decision: ReportJoin.Decision) {
    let (quake, main) = (decision.quake, decision.main)
    guard quake.main !== main || (main == nil) != (quake.standingValue == .live) else { return }
    // The services said both of these by then.
    let said = max(quake.said ?? .distantPast, main?.said ?? .distantPast)
    let time = RecordTime(said: said, learnt: now)
    quake.record(main == nil ? .live : .joined, reason: decision.reason, main: main, at: time)
    if main == nil { separated += 1 } else { joined += 1 }
  }

  /// By time.
  private func reports(from first: Date, to last: Date) -> NSFetchRequest<Quake> {
    let request: NSFetchRequest<Quake> = Quake.fetchRequest()
    request.predicate = NSPredicate(
      format: "standing IN %@ AND time >= %@ AND time <= %@",
      argumentArray: [[Standing.live.rawValue, Standing.joined.rawValue], first, last])
    request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: true)]
    request.returnsObjectsAsFaults = false
    return request
  }
}

extension ReportSettlement {
  /// Joins and separates all reports of a store again.
  ///
  /// - Throws: `Failure` if the store does not exist, or cannot be read and written.
  public static func ofStore(_ location: StoreLocation, limits: JoinLimits) throws -> ReportSettlement {
    guard location.hasStore else { throw Failure.noStore(location) }
    let container = try QuakesContainer.open(location, for: .writing)
    let lock = try ImportLock(location, isStopped: { false })
    defer { withExtendedLifetime(lock) {} }
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      context.transactionAuthor = "quakes-fetch"
      var settlement = ReportSettlement(context: context, limits: limits, now: Date())
      do {
        try settlement.settleAll()
      } catch {
        throw Failure.saving(location, error: error)
      }
      return settlement
    }
  }

  /// Settles the whole store, and saves it day by day.
  ///
  /// - Throws: the error of a fetch or a save.
  mutating func settleAll() throws {
    guard var day = try bound(ascending: true), let end = try bound(ascending: false) else { return }
    while day <= end {
      let next = day.addingTimeInterval(86_400)
      try settle(day...next)
      if context.hasChanges { try context.save() }
      context.reset()
      // Most days of a long catalog may be empty.
      day = try bound(ascending: true, after: next) ?? .distantFuture
    }
  }

  private func bound(ascending: Bool, after time: Date = .distantPast) throws -> Date? {
    let request: NSFetchRequest<Quake> = Quake.fetchRequest()
    request.predicate = NSPredicate(format: "time > %@", argumentArray: [time])
    request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: ascending)]
    request.fetchLimit = 1
    return try context.fetch(request).first?.time
  }
}
