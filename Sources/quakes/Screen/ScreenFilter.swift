import Foundation
import StrataQuakes

/// A filter as it is typed on the screen: `tonga or fiji`, `mag>=5 since:24h -type:explosion`. Times stay relative, so that
/// they move on.
struct ScreenFilter: Equatable, Sendable {
  /// As it was typed.
  private(set) var text = ""
  private var conditions = Conditions()

  init() {}

  /// - Throws: `Problem`, with the invalid word, the reason and an example.
  init(_ text: String) throws(Problem) {
    self.text = text.trimmingCharacters(in: .whitespaces)
    var parser = Parser(Token.tokens(of: self.text))
    conditions = try parser.filter()
  }

  /// The error message for the typed text.
  struct Problem: Error, Equatable {
    var text: String
  }

  /// All but times, marks and nearness, without alternatives and exclusions.
  var fixed: QuakeFilter { conditions.fixed }
  /// A position, a city or an earthquake's ID.
  var near: String? { conditions.near }
  /// Kilometers; nil for the default.
  var within: Double? { conditions.within }

  /// Whether its results change with time.
  var isRelative: Bool { conditions.contains { $0.since != nil || $0.until != nil } }

  /// Whether it has to be in parentheses for more words to limit it.
  var hasAlternatives: Bool {
    guard case .any(let parts)? = conditions.combinations.first else { return false }
    return parts.count > 1 && conditions == Conditions(combinations: [.any(parts)])
  }

  /// The marks that it asks for.
  var marks: Set<MarkCondition> { conditions.allMarks }

  /// - Parameters:
  ///   - circle: what `near` means.
  ///   - marked: the IDs of the earthquakes that have a mark.
  func filter(
    at moment: Moment, circle: GeoCircle?, marked: (MarkCondition) throws -> [String]
  ) rethrows -> QuakeFilter {
    var filter = try conditions.filter(at: moment, marked: marked)
    filter.circle = circle
    return filter
  }
}

extension ScreenFilter {
  /// The words, for the line below which a filter is typed.
  static let examples =
    "mag>=5 depth<70 since:24h near:Tokyo within:300km tonga or fiji -type:explosion starred noted unacknowledged "
    + "until:2026-11-20 region:japan status: source: alert: box: felt retracted stations>=10"

  /// Words that must all match.
  struct Conditions: Equatable, Sendable {
    var fixed = QuakeFilter()
    var since: String?
    var until: String?
    var near: String?
    var within: Double?
    var marks: [MarkWord] = []
    var combinations: [Combination] = []

    indirect enum Combination: Equatable, Sendable {
      case any([Conditions])
      case not(Conditions)

      var parts: [Conditions] {
        switch self {
        case .any(let parts): parts
        case .not(let part): [part]
        }
      }
    }

    /// A word that cannot be part of a combination, because it is about all that is listed; nil without one.
    var wordOfWhole: String? {
      near != nil ? "near:" : within != nil ? "within:" : fixed.includesRetracted ? "retracted" : nil
    }

    func contains(_ isWanted: (Conditions) -> Bool) -> Bool {
      isWanted(self) || combinations.contains { $0.parts.contains { $0.contains(isWanted) } }
    }

    var allMarks: Set<MarkCondition> {
      combinations.flatMap(\.parts).reduce(into: Set(marks.map(\.condition))) { $0.formUnion($1.allMarks) }
    }

    func filter(at moment: Moment, marked: (MarkCondition) throws -> [String]) rethrows -> QuakeFilter {
      var filter = fixed
      filter.since = since.flatMap(moment.date)
      filter.until = until.flatMap(moment.date)
      filter.marks = try marks.map { QuakeFilter.MarkLimit($0, try marked($0.condition)) }
      filter.combinations = try combinations.map { combination in
        switch combination {
        case .any(let parts): .any(try parts.map { try $0.filter(at: moment, marked: marked) })
        case .not(let part): .not(try part.filter(at: moment, marked: marked))
        }
      }
      return filter
    }
  }
}

/// A word for the user's marks, named as the option.
enum MarkWord: String, CaseIterable, Sendable {
  case starred, noted, unacknowledged

  var condition: MarkCondition {
    switch self {
    case .starred: .starred
    case .noted: .noted
    case .unacknowledged: .acknowledged
    }
  }
}

extension QuakeFilter.MarkLimit {
  /// - Parameter identifiers: those of the earthquakes that have the word's mark.
  init(_ word: MarkWord, _ identifiers: [String]) {
    let isExcluding = word == .unacknowledged
    self.init(isExcluding ? "not acknowledged" : word.rawValue, identifiers, isExcluding: isExcluding)
  }
}
