import CoreData
import Foundation

extension Summary {
  /// Fetches the newest rows and a count, both by index.
  ///
  /// - Parameters:
  ///   - limit: how many of the newest.
  ///   - countsSmaller: whether to count those that the minimum leaves out.
  ///   - now: an event whose time lies ahead waits for it: it must not own the line until then.
  ///   - zone: whose midnight today begins at.
  /// - Throws: what `fetch` throws.
  public init(
    in context: NSManagedObjectContext, minimumMagnitude: Double?, limit: Int, countsSmaller: Bool = false, now: Date,
    zone: DisplayZone = .local
  ) throws {
    try self.init(
      minimumMagnitude: minimumMagnitude, limit: limit, countsSmaller: countsSmaller, now: now, zone: zone
    ) { filter in
      try context.count(for: Quake.matching(filter))
    } fetch: { filter, limit in
      try context.fetch(Quake.newest(filter, limit: limit)).map(\.facts)
    }
  }

  /// The summary as known at a time.
  ///
  /// - Throws: what `fetch` throws.
  public init(
    in context: NSManagedObjectContext, minimumMagnitude: Double?, limit: Int, countsSmaller: Bool = false,
    asOf time: Date, zone: DisplayZone = .local
  ) throws {
    try self.init(
      minimumMagnitude: minimumMagnitude, limit: limit, countsSmaller: countsSmaller, now: time, zone: zone
    ) { filter in
      try Quake.states(asOf: time, QuakeQuery(filter), in: context).count
    } fetch: { filter, limit in
      try Quake.states(asOf: time, QuakeQuery(filter, limit: limit), in: context).map(\.facts)
    }
  }

  private init(
    minimumMagnitude: Double?, limit: Int, countsSmaller: Bool, now: Date, zone: DisplayZone,
    count: (QuakeFilter) throws -> Int, fetch: (QuakeFilter, _ limit: Int) throws -> [QuakeFacts]
  ) throws {
    self.init(now: now)
    var filter = QuakeFilter(minimumMagnitude: minimumMagnitude, until: now)
    recent = try fetch(filter, limit)
    if let minimumMagnitude {
      var smaller = QuakeFilter(until: now)
      smaller.maximumMagnitude = minimumMagnitude.nextDown
      if recent.isEmpty { hasOnlySmaller = try !fetch(smaller, 1).isEmpty }
      smaller.since = now.addingTimeInterval(-24 * 3600)
      if countsSmaller { self.smaller = try count(smaller) }
    }
    guard let newest = recent.first else { return }
    if newest.isFromLastHour(at: now) {
      filter.since = now.addingTimeInterval(-3600)
      putFirst(try fetch(filter, 0).filter { $0.isUrgent(at: now) }.max { ($0.magnitude ?? 0) < ($1.magnitude ?? 0) })
    }
    filter.since = zone.startOfDay(now)
    today = try count(filter)
  }

  /// The largest urgent earthquake keeps the line for its hour, whatever follows it.
  private mutating func putFirst(_ urgent: QuakeFacts?) {
    guard let urgent else { return }
    let limit = recent.count
    recent.removeAll { $0.identifier == urgent.identifier }
    recent = [urgent] + recent.prefix(limit - 1)
  }
}

extension QuakeFacts {
  /// Whether the earthquake happened within an hour before a time.
  public func isFromLastHour(at now: Date) -> Bool { now.timeIntervalSince(time) < 3600 }

  /// Whether the earthquake needs attention at a time: within an hour, at magnitude 6 and above or with an orange or red alert.
  public func isUrgent(at now: Date) -> Bool {
    isFromLastHour(at: now) && (magnitude ?? 0 >= 6 || alert == "orange" || alert == "red")
  }
}
