import CoreData
import StrataQuakes

/// Completes earthquakes for programs, which get the same fields from every command: adds the region, the nearest city and the
/// user's marks.
struct FactsCompletion {
  private let context: NSManagedObjectContext
  private let book: MarkBook?
  /// Whether earthquakes have marks.
  let hasPersonal: Bool
  private var names: CityNames?

  /// - Parameters:
  ///   - time: when the states were known. Cities and marks are of the present, so states of the past have only regions.
  ///   - context: of the store; used on its queue.
  /// - Throws: what `fetch` throws.
  init(_ store: OpenStore, asOf time: Date? = nil, in context: NSManagedObjectContext) throws {
    self.context = context
    hasPersonal = store.hasPersonal && time == nil
    book = hasPersonal ? try MarkBook(in: context) : nil
    names = time == nil ? store.reference.map { CityNames(in: context, of: $0) } : nil
  }

  /// Completes present or former states. The nearest city is that of the present position, so a state with another position has
  /// none.
  ///
  /// - Throws: what `fetch` throws.
  mutating func complete(_ states: [QuakeFacts]) throws -> [QuakeFacts] {
    let marks = try book?.marks(of: states.map(\.identifier)) ?? [:]
    var quakes: [String: Quake] = [:]
    if names != nil {
      for quake in try context.fetch(Quake.identified(by: states.map(\.identifier))) {
        quakes[quake.identifier ?? ""] = quake
      }
    }
    return states.map { facts in
      var facts = facts
      facts.findRegion()
      if hasPersonal { facts.mark = marks[facts.identifier] ?? QuakeMark() }
      if let quake = quakes[facts.identifier], let current = names?.facts(of: quake),
        (current.latitude, current.longitude) == (facts.latitude, facts.longitude)
      {
        facts.nearestCity = current.nearestCity
      }
      return facts
    }
  }

  /// Reports on standard error why names of cities are missing, if they are.
  func reportFailure() {
    if let failure = names?.failure { StandardStream.error.line("quakes: \(failure.message)") }
  }
}
