import CoreData
import Foundation
import StrataQuakes
import StrataQuakesMap

/// Reads what a map shows, on a thread of its own: unlike an idle queue of Dispatch, one that ended never wakes up.
struct LiveMapReading: Sendable {
  enum Result: Sendable {
    case points([MapPoint])
    case failure(any Error)
  }

  private let container: QuakesContainer
  private let query: QuakeQuery
  private let now: Date

  init(_ container: QuakesContainer, _ query: QuakeQuery, at now: Date) {
    (self.container, self.query, self.now) = (container, query, now)
  }

  /// Reads the outlines for a part of the Earth.
  ///
  /// - Parameters:
  ///   - height: of the map, in dots.
  ///   - onEnd: runs on the main queue; nil if the Reference store cannot be read.
  static func beginOutlines(
    _ container: QuakesContainer, visible: MapRegion, height: Int,
    onEnd: @escaping @MainActor @Sendable (MapOutlines?) -> Void
  ) {
    Thread.detachNewThread {
      let context = container.newBackgroundContext()
      let outlines = try? context.performAndWait { try MapOutlines(in: context, visible: visible, height: height) }
      DispatchQueue.main.async { MainActor.assumeIsolated { onEnd(outlines) } }
    }
  }

  /// - Parameter onEnd: runs on the main queue.
  func begin(onEnd: @escaping @MainActor @Sendable (Result) -> Void) {
    Thread.detachNewThread {
      let context = container.newBackgroundContext()
      let result = context.performAndWait {
        do {
          return Result.points(try points(in: context))
        } catch {
          return .failure(error)
        }
      }
      DispatchQueue.main.async { MainActor.assumeIsolated { onEnd(result) } }
    }
  }

  /// In the order in which the map draws them, so that it sorts them quickly.
  private func points(in context: NSManagedObjectContext) throws -> [MapPoint] {
    let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
    request.predicate = query.filter.predicate
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["identifier", "latitude", "longitude", "magnitude", "depth", "time"]
    request.sortDescriptors = [
      NSSortDescriptor(key: "magnitude", ascending: true), NSSortDescriptor(key: "time", ascending: true),
    ]
    return try context.fetch(request).compactMap(point)
  }

  /// - Returns: nil if it is not in the filter's circle: the store knows only its box.
  private func point(_ values: NSDictionary) -> MapPoint? {
    func number(_ key: String) -> Double? { (values[key] as? NSNumber)?.doubleValue }
    let (latitude, longitude) = (number("latitude") ?? 0, number("longitude") ?? 0)
    if let circle = query.filter.circle, !circle.contains(latitude: latitude, longitude: longitude) { return nil }
    return MapPoint(
      identifier: values["identifier"] as? String ?? "", latitude: latitude, longitude: longitude,
      magnitude: number("magnitude"), depth: number("depth"),
      age: (values["time"] as? Date).map { now.timeIntervalSince($0) } ?? 0)
  }
}
