import CoreData
import Foundation

extension Quake {
  /// Visits what a query finds, in its order, with memory for a few hundred objects only.
  ///
  /// Resets the context, which should be the caller's own.
  ///
  /// - Parameter visit: returns whether to continue.
  /// - Throws: what `fetch` or `visit` throws.
  public static func forEach(
    _ query: QuakeQuery, in context: NSManagedObjectContext, visit: (Quake) throws -> Bool
  ) throws {
    let request = Quake.matching(query.filter)
    request.sortDescriptors = query.sortDescriptors
    guard let circle = query.filter.circle else {
      request.fetchLimit = query.limit
      return try forEach(request, in: context, visit: visit)
    }
    guard query.order != .distance else {
      let ids = try identifiers(of: request, in: circle, query: query, context: context)
      return try forEach(ids, sortedBy: nil, in: context, visit: visit)
    }
    var count = 0
    try forEach(request, in: context) { quake in
      guard circle.contains(latitude: quake.latitude, longitude: quake.longitude) else { return true }
      count += 1
      return try visit(quake) && count != query.limit
    }
  }

  /// Those in the circle, nearest first.
  private static func identifiers(
    of request: NSFetchRequest<Quake>, in circle: GeoCircle, query: QuakeQuery, context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID] {
    var found: [(distance: Double, id: NSManagedObjectID)] = []
    try forEach(request, in: context) { quake in
      let distance = circle.distance(latitude: quake.latitude, longitude: quake.longitude)
      if distance <= circle.radius { found.append((distance, quake.objectID)) }
      return true
    }
    found.sort { query.isReversed ? $0.distance > $1.distance : $0.distance < $1.distance }
    return (query.limit == 0 ? found[...] : found.prefix(query.limit)).map(\.id)
  }

  /// How many a filter leaves.
  public static func count(_ filter: QuakeFilter, in context: NSManagedObjectContext) throws -> Int {
    guard filter.circle != nil else { return try context.count(for: matching(filter)) }
    var count = 0
    try forEach(QuakeQuery(filter), in: context) { _ in
      count += 1
      return true
    }
    return count
  }
}
