import CoreData
import StrataQuakes

/// Completes earthquakes for programs, which get the same fields from every command: adds the region, the nearest city and the
/// user's marks.
struct FactsCompletion {
  private let context: NSManagedObjectContext
  private let book: MarkBook?
  /// Whether earthquakes get the user's marks.
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
    let quakes = try quakes(states.map(\.identifier))
    let marks = try book?.marks(of: quakes.values.compactMap(\.identifier)) ?? [:]
    return states.map { state in
      var facts = state
      facts.findRegion()
      let quake = quakes[state.identifier]
      if hasPersonal { facts.mark = marks[quake?.identifier ?? ""] ?? QuakeMark() }
      if let quake, (quake.latitude, quake.longitude) == (state.latitude, state.longitude) {
        facts.nearestCity = names?.facts(of: quake).nearestCity
      }
      return facts
    }
  }

  /// The earthquakes by the IDs that they have or had.
  private func quakes(_ identifiers: [String]) throws -> [String: Quake] {
    guard book != nil || names != nil else { return [:] }
    var quakes: [String: Quake] = [:]
    for alias in try context.fetch(Alias.identified(by: identifiers)) { quakes[alias.identifier ?? ""] = alias.quake }
    for quake in try context.fetch(Quake.identified(by: identifiers)) { quakes[quake.identifier ?? ""] = quake }
    return quakes
  }

  /// Prints the reason that names of cities are missing, if any, to standard error.
  func reportFailure() {
    if let failure = names?.failure { StandardStream.error.line("quakes: \(failure.message)") }
  }
}
