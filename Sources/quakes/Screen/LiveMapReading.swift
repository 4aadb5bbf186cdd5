import CoreData
import Foundation
import StrataQuakes
import StrataQuakesMap

/// Reads what a map shows, on a thread of its own: unlike an idle queue of Dispatch, one that ended never wakes up.
struct LiveMapReading: Sendable {
  /// A part of the map, sent as soon as it is read.
  enum Part: Sendable {
    case outlines(MapOutlines)
    /// The end.
    case points([MapPoint])
    case failure(any Error)
  }

  private let container: QuakesContainer
  private let query: QuakeQuery
  private let needsOutlines: Bool
  private let now: Date

  init(_ container: QuakesContainer, _ query: QuakeQuery, needsOutlines: Bool, at now: Date) {
    (self.container, self.query, self.needsOutlines, self.now) = (container, query, needsOutlines, now)
  }

  /// - Parameter onPart: runs on the main queue.
  func begin(onPart: @escaping @MainActor @Sendable (Part) -> Void) {
    Thread.detachNewThread {
      let context = container.newBackgroundContext()
      func send(_ part: Part) { DispatchQueue.main.async { MainActor.assumeIsolated { onPart(part) } } }
      context.performAndWait {
        // A Reference store that cannot be read costs the lines.
        if needsOutlines, let outlines = try? MapOutlines(in: context) { send(.outlines(outlines)) }
        do {
          send(.points(try points(in: context)))
        } catch {
          send(.failure(error))
        }
      }
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
