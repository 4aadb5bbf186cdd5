import Foundation
import StrataQuakes

/// The remaining steps of a back-fill, saved after each step, so that running it again continues.
struct BackfillPlan: Codable, Equatable, Sendable {
  /// A span of origin times.
  struct Part: Codable, Equatable, Sendable {
    var start: Date
    var end: Date
    /// The service's count of events; nil before it was asked.
    var count: Int?

    /// Both halves, not yet counted.
    var halves: [Part] {
      let middle = start.addingTimeInterval((end.timeIntervalSince(start) / 2).rounded())
      return [Part(start: start, end: middle), Part(start: middle, end: end)]
    }

    /// Shorter ones are not halved.
    var canBeHalved: Bool { end.timeIntervalSince(start) >= 2 }
  }

  /// Oldest first.
  var pending: [Part]
  /// The service's count at the beginning; nil if it does not count.
  var total: Int?
  /// Events received so far.
  var received = 0
  var format = EventService.Format.geojson
  var canCount = true

  init(since: Date, until: Date) {
    pending = [Part(start: since, end: until)]
  }

  /// For a service that does not count: cuts what is left into months.
  mutating func doWithoutCounts() {
    canCount = false
    let month = 30 * 86_400.0
    pending = pending.flatMap { part in
      stride(from: part.start.timeIntervalSinceReferenceDate, to: part.end.timeIntervalSinceReferenceDate, by: month)
        .map { start in
          let date = Date(timeIntervalSinceReferenceDate: start)
          return Part(start: date, end: min(date + month, part.end))
        }
    }
  }
}

// MARK: - The file

extension BackfillPlan {
  /// The plan's file in the store's folder: one for each wish as the user typed it, so that the same call continues.
  static func file(_ location: StoreLocation, wish: [String]) -> URL {
    let text = wish.joined(separator: "\n")
    let hash = String(FNV1a(text).value, radix: 16)
    return location.folder.appendingPathComponent("quakes-fetch-backfill-\(hash).json")
  }

  /// - Returns: nil if the file does not exist, or if this version cannot read it: then the back-fill starts over, and
  ///   finds most events unchanged.
  init?(from file: URL) {
    guard let data = Self.contents(of: file), let plan = try? JSONDecoder().decode(Self.self, from: data),
      plan.isPossible
    else { return nil }
    self = plan
  }

  private static func contents(of file: URL) -> Data? {
    guard let descriptor = try? PrivateFile.open(file.path, O_RDONLY) else { return nil }
    return try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).read(upToCount: maximumBytes)
  }

  /// Larger than any plan; longer files are not read.
  private static let maximumBytes = 16 << 20

  /// Whether the numbers are those of a back-fill: no file may make sums overflow or parts without end.
  private var isPossible: Bool {
    let counts = 0...1_000_000_000_000
    let times = Date.distantPast...Date.distantFuture
    return counts ~= received && counts ~= (total ?? 0)
      && pending.allSatisfy { times ~= $0.start && times ~= $0.end && $0.start <= $0.end }
  }

  /// Replaces the file as a whole.
  func save(to file: URL) throws(Failure) {
    do {
      try JSONEncoder().encode(self).write(to: file, options: .atomic)
    } catch {
      throw Failure(
        .storeUnavailable, "cannot save the progress of the back-fill in \(file.path): \(error.localizedDescription)",
        cause: error)
    }
  }
}
