import CoreData
import Foundation

extension Summary {
  /// Fetches the newest rows and a count, both by index.
  ///
  /// - Parameters:
  ///   - limit: how many of the newest.
  ///   - now: an event whose time lies ahead waits for it: it must not own the line until then.
  ///   - zone: whose midnight today begins at.
  /// - Throws: what `fetch` throws.
  public init(
    in context: NSManagedObjectContext, minimumMagnitude: Double?, limit: Int, now: Date, zone: DisplayZone = .local
  ) throws {
    self.init(now: now)
    let filter = QuakeFilter(minimumMagnitude: minimumMagnitude, until: now)
    recent = try context.fetch(Quake.newest(filter, limit: limit)).map(\.facts)
    guard !recent.isEmpty else { return }
    let today = QuakeFilter(minimumMagnitude: minimumMagnitude, since: zone.startOfDay(now), until: now)
    self.today = try context.count(for: Quake.matching(today))
  }

  /// The summary as known at a time.
  ///
  /// - Throws: what `fetch` throws.
  public init(
    in context: NSManagedObjectContext, minimumMagnitude: Double?, limit: Int, asOf time: Date,
    zone: DisplayZone = .local
  ) throws {
    self.init(now: time)
    let filter = QuakeFilter(minimumMagnitude: minimumMagnitude, until: time)
    recent = try Quake.states(asOf: time, QuakeQuery(filter, limit: limit), in: context).map(\.facts)
    guard !recent.isEmpty else { return }
    let today = QuakeFilter(minimumMagnitude: minimumMagnitude, since: zone.startOfDay(time), until: time)
    self.today = try Quake.states(asOf: time, QuakeQuery(today), in: context).count
  }
}
