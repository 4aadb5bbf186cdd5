import CoreData
import Foundation
import StrataQuakes
import StrataQuakesConfig

/// The completions of a command line; none if the stores do not exist or cannot be read.
struct LiveCompletion {
  /// The maximum number of candidates: more of them do not help to choose.
  private static let limit = 200
  /// Earthquakes whose types and sources are offered: the same for a store of any size.
  private static let sample = 2000

  /// The command line so far.
  let words: [String]

  func earthquakes(startingWith prefix: String) -> [Offer] {
    read { context in
      let request = Quake.newest(limit: Self.limit)
      // BEGINSWITH is never true of an empty text.
      if !prefix.isEmpty {
        let begins = NSPredicate(format: "identifier BEGINSWITH %@", argumentArray: [prefix])
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [QuakeFilter().predicate, begins])
        // The index has them in this order, so that a large store takes no longer. Services count upwards: the last ones
        // are about the newest.
        request.sortDescriptors = [NSSortDescriptor(key: "identifier", ascending: false)]
      }
      return try context.fetch(request).map(\.facts).sorted { $0.time > $1.time }
        .map { Offer(word: $0.identifier, meaning: "M \($0.magnitudeText) \($0.placeText)") }
    }
  }

  func types(startingWith prefix: String) -> [Offer] {
    newestValues(["type"], startingWith: prefix, meaning: "type")
  }

  func sources(startingWith prefix: String) -> [Offer] {
    newestValues(["network", "service"], startingWith: prefix, meaning: "network or service")
  }

  private func newestValues(_ keys: [String], startingWith prefix: String, meaning: String) -> [Offer] {
    read { context in
      let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = keys
      request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: false)]
      request.fetchLimit = Self.sample
      let rows = try context.fetch(request)
      let values = Set(rows.flatMap { row in keys.compactMap { row[$0] as? String } })
      return values.filter { $0.hasPrefix(prefix) }.sorted().map { Offer(word: $0, meaning: meaning) }
    }
  }

  func places(startingWith prefix: String) -> [Offer] {
    readPersonal { try $0.fetch(Place.all()).compactMap(\.name) }
      // Capital letters make no difference to them.
      .filter { $0.lowercased().hasPrefix(prefix.lowercased()) }.map { Offer(word: $0, meaning: "your place") }
  }

  func alerts(startingWith prefix: String) -> [Offer] {
    readPersonal { try $0.fetch(AlertRule.all()).compactMap(\.name) }
      .filter { $0.hasPrefix(prefix) }.map { Offer(word: $0, meaning: "your alert") }
  }

  func filters(startingWith prefix: String) -> [Offer] {
    (settings?.filterNames ?? []).filter { $0.hasPrefix(prefix) }
      .map { Offer(word: $0, meaning: "filter of your settings") }
  }

  func views(startingWith prefix: String) -> [Offer] {
    (settings?.viewNames ?? []).filter { $0.hasPrefix(prefix) }.map {
      Offer(word: $0, meaning: "view of your settings")
    }
  }

  private var settings: Settings? { try? SettingsFile(option: value(of: "--config")).settings() }
}

// MARK: - Reading

extension LiveCompletion {
  private func read(_ body: (NSManagedObjectContext) throws -> [Offer]) -> [Offer] {
    guard let location, location.hasStore, let container = try? QuakesContainer.open(location, for: .reading) else {
      return []
    }
    let context = container.newBackgroundContext()
    return (try? context.performAndWait { try body(context) }) ?? []
  }

  private func readPersonal(_ body: (NSManagedObjectContext) throws -> [String]) -> [String] {
    guard let location, location.hasPersonal, let container = try? QuakesContainer.personal(location) else { return [] }
    let context = container.newBackgroundContext()
    return (try? context.performAndWait { try body(context) }) ?? []
  }

  private var location: StoreLocation? { try? StoreLocation(option: value(of: "--store")) }

  /// The value that the line has for an option.
  private func value(of option: String) -> String? {
    for (index, word) in words.enumerated() {
      if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
      if word == option, words.indices.contains(index + 1) { return words[index + 1] }
    }
    return nil
  }
}
