import ArgumentParser
import CoreData
import Foundation
import StrataQuakes

extension CompletionKind {
  /// The ids of the newest earthquakes, with what they are where the shell shows it.
  static let earthquakes = CompletionKind.custom { words, _, prefix in
    LiveCompletion(words: words).earthquakes(startingWith: prefix)
  }

  /// The user's places, and the ids of the newest earthquakes.
  static let places = CompletionKind.custom { words, _, prefix in
    let completion = LiveCompletion(words: words)
    return completion.places(startingWith: prefix) + completion.earthquakes(startingWith: prefix)
  }
}

/// What a shell offers to complete from the store. It offers nothing, and says nothing, if there is no store to read.
private struct LiveCompletion {
  /// More would be no help to choose from.
  private static let limit = 200

  /// The command line so far.
  let words: [String]

  func earthquakes(startingWith prefix: String) -> [String] {
    read { context, _ in
      let request = Quake.newest(limit: Self.limit)
      // BEGINSWITH is never true of an empty text.
      if !prefix.isEmpty {
        let begins = NSPredicate(format: "identifier BEGINSWITH %@", argumentArray: [prefix])
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [QuakeFilter().predicate, begins])
      }
      return try context.fetch(request).map(\.facts).map { ($0.identifier, "M \($0.magnitudeText) \($0.placeText)") }
    }
  }

  func places(startingWith prefix: String) -> [String] {
    read { context, container in
      guard container.store(.personal) != nil else { return [] }
      let names = try context.fetch(Place.all()).compactMap(\.name)
      return names.filter { $0.hasPrefix(prefix) }.map { ($0, "your place") }
    }
  }

  private func read(_ body: (NSManagedObjectContext, QuakesContainer) throws -> [(String, String)]) -> [String] {
    guard let location = try? StoreLocation(option: store), location.hasStore,
      let container = try? QuakesContainer.open(location, for: .reading)
    else { return [] }
    _ = try? container.addPersonal(location, for: .reading)
    let context = container.newBackgroundContext()
    let found = try? context.performAndWait { try body(context, container) }
    return (found ?? []).compactMap(Self.candidate)
  }

  /// The value of `--store`, if the line has it.
  private var store: String? {
    for (index, word) in words.enumerated() {
      if word.hasPrefix("--store=") { return String(word.dropFirst("--store=".count)) }
      if word == "--store", words.indices.contains(index + 1) { return words[index + 1] }
    }
    return nil
  }

  /// A completion in the shell's own form. A shell puts the word on the command line as it is: one with other characters
  /// than these could be a command there.
  private static func candidate(_ word: String, meaning: String) -> String? {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isPlain, let first = word.first, first != "-" else { return nil }
    let meaning = Terminal.printable(meaning)
    return switch CompletionShell.requesting {
    case .zsh: "\(word):\(meaning)"
    case .fish: "\(word)\t\(meaning)"
    default: word
    }
  }
}
