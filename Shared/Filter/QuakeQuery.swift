import CoreData
import Foundation

/// Which earthquakes to read, in which order, and how many.
public struct QuakeQuery: Equatable, Sendable {
  /// The key of an order. The newest, largest, deepest, nearest or last updated come first.
  public enum Order: String, CaseIterable, Sendable {
    case time, magnitude, depth, distance, updated

    private static let otherNames: [String: Order] = [
      "mag": .magnitude, "size": .magnitude, "largest": .magnitude, "date": .time, "when": .time, "newest": .time,
      "dist": .distance, "nearest": .distance, "deepest": .depth, "update": .updated, "changed": .updated,
    ]

    /// - Parameter name: one of the cases, or another word for it such as `mag`.
    public init?(named name: String) {
      guard let order = Order(rawValue: name.lowercased()) ?? Self.otherNames[name.lowercased()] else { return nil }
      self = order
    }
  }

  public var filter: QuakeFilter
  /// The distance is from the center of the filter's circle; without a circle the order is by time.
  public var order: Order
  public var isReversed: Bool
  /// 0 for all.
  public var limit: Int

  public init(_ filter: QuakeFilter = QuakeFilter(), order: Order = .time, isReversed: Bool = false, limit: Int = 0) {
    (self.filter, self.order, self.isReversed, self.limit) = (filter, order, isReversed, limit)
  }

  /// The order without a distance, which no store knows; unknown values come last, and first if reversed. What is alike
  /// comes by time and ID, so that two stores with the same earthquakes have the same order.
  public var sortDescriptors: [NSSortDescriptor] {
    let time = NSSortDescriptor(key: "time", ascending: order == .time && isReversed)
    let identifier = NSSortDescriptor(key: "identifier", ascending: true)
    switch order {
    case .time, .distance: return [time, identifier]
    case .magnitude, .depth, .updated:
      return [NSSortDescriptor(key: order.rawValue, ascending: isReversed), time, identifier]
    }
  }

  /// The first of them in the query's order.
  func first(_ quakes: [QuakeState]) -> [QuakeState] {
    var keyed = quakes.map { state in
      (key: key(of: state), time: state.date(.time) ?? .distantPast, id: state.text(.identifier) ?? "", state: state)
    }
    keyed.sort { first, second in
      if first.key != second.key { return isReversed ? first.key < second.key : first.key > second.key }
      return first.time != second.time ? first.time > second.time : first.id < second.id
    }
    return (limit == 0 ? keyed[...] : keyed.prefix(limit)).map(\.state)
  }

  /// The greatest comes first.
  private func key(of state: QuakeState) -> Double {
    switch order {
    case .time: return state.date(.time)?.timeIntervalSinceReferenceDate ?? -.infinity
    case .magnitude: return state.number(.magnitude) ?? -.infinity
    case .depth: return state.number(.depth) ?? -.infinity
    case .updated: return state.date(.updated)?.timeIntervalSinceReferenceDate ?? -.infinity
    case .distance:
      guard let circle = filter.circle, let latitude = state.number(.latitude),
        let longitude = state.number(.longitude)
      else { return -.infinity }
      return -circle.distance(latitude: latitude, longitude: longitude)
    }
  }
}
