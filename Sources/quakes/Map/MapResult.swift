import CoreData
import Foundation
import StrataQuakes
import StrataQuakesMap

/// The earthquakes that a map shows.
struct MapResult {
  private(set) var points: [MapPoint] = []
  /// The reason for an empty result.
  private(set) var emptiness: EmptyResult?
  private var largest: QuakeFacts?
  private let style: DisplayStyle

  init(_ query: QuakeQuery, asOf time: Date?, of store: OpenStore, at now: Date, _ style: DisplayStyle) throws {
    self.style = style
    try store.read { context in
      if let time {
        for state in try Quake.states(asOf: time, query, in: context) { add(state.facts, at: now) }
      } else {
        try Quake.forEach(query, in: context) { quake in
          add(quake.facts, at: now)
          return true
        }
      }
      if points.isEmpty { emptiness = try EmptyResult(query.filter, asOf: time, in: context, style: style) }
    }
  }

  /// The time that the map is of, in days.
  func period(of filter: QuakeFilter, at now: Date) -> String {
    let oldest = points.map(\.age).max().map { now.addingTimeInterval(-$0) }
    let (since, until) = (filter.since ?? oldest ?? now, filter.until.map { min($0, now) } ?? now)
    let days = (style.day(min(since, until)), style.day(until))
    return "\(days.0 == days.1 ? days.0 : "\(days.0) to \(days.1)") \(style.zone.name(at: until))"
  }

  private mutating func add(_ quake: QuakeFacts, at now: Date) {
    points.append(MapPoint(quake, at: now, style: style))
    if quake.magnitude ?? -.infinity > largest?.magnitude ?? -.infinity { largest = quake }
  }

  /// How many there are, and which is the largest.
  func caption(at now: Date) -> String {
    let count = points.count == 1 ? "1 earthquake" : "\(points.count) earthquakes"
    guard let largest, points.count > 1 else { return count }
    let age = Age.text(of: largest.time, at: now, style: style)
    return "\(count); the largest M \(largest.magnitudeText) \(largest.placeText), \(age)"
  }
}
