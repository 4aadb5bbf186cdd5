import CoreData
import Foundation

extension QuakeFilter {
  /// One thing that an earthquake must be.
  struct Condition {
    /// Completes a sentence: `35 of them are …`.
    var words: String { makeWords() }
    // Few ask for them, and the time of day alone takes longer to write than the predicate to make.
    private let makeWords: () -> String
    var predicate: NSPredicate

    init(_ words: @escaping @autoclosure () -> String, _ format: String, _ values: [Any]) {
      self.init(words(), predicate: NSPredicate(format: format, argumentArray: values))
    }

    init(_ words: @escaping @autoclosure () -> String, predicate: NSPredicate) {
      (makeWords, self.predicate) = (words, predicate)
    }
  }

  /// All of them must hold.
  ///
  /// - Parameter style: of the words.
  func conditions(_ style: DisplayStyle = DisplayStyle()) -> [Condition] {
    [standing] + limiting(style)
  }

  /// All but the standing.
  private func limiting(_ style: DisplayStyle) -> [Condition] {
    timeConditions(style) + sizeConditions(style) + originConditions(style) + effectConditions
      + combinations.map { $0.condition(style) }
  }

  /// All but the standing as one condition.
  fileprivate func joined(_ style: DisplayStyle) -> Condition {
    let conditions = limiting(style)
    if conditions.count == 1, combinations.isEmpty { return conditions[0] }
    return Condition(
      "(\(conditions.map(\.words).joined(separator: " and ")))",
      predicate: NSCompoundPredicate(andPredicateWithSubpredicates: conditions.map(\.predicate)))
  }

  private var standing: Condition {
    includesRetracted
      ? Condition(
        "listed or retracted", "standing IN %@", [[Standing.live.rawValue, Standing.retracted.rawValue]])
      : Condition("listed", "standing == %@", [Standing.live.rawValue])
  }

  private func timeConditions(_ style: DisplayStyle) -> [Condition] {
    [
      until.map { Condition("until \(style.time($0))", "time <= %@", [$0]) },
      since.map { Condition("since \(style.time($0))", "time >= %@", [$0]) },
    ].compactMap { $0 }
  }

  private func sizeConditions(_ style: DisplayStyle) -> [Condition] {
    [
      minimumMagnitude.map { Condition("of magnitude \($0) and above", "magnitude >= %@", [$0]) },
      maximumMagnitude.map { Condition("of magnitude \($0) and below", "magnitude <= %@", [$0]) },
      minimumDepth.map { Condition("\(style.distance($0, hasTenths: true)) deep and deeper", "depth >= %@", [$0]) },
      maximumDepth.map { Condition("\(style.distance($0, hasTenths: true)) deep and shallower", "depth <= %@", [$0]) },
    ].compactMap { $0 }
  }

  private func originConditions(_ style: DisplayStyle) -> [Condition] {
    var list: [Condition] = []
    if let box {
      list.append(Condition("in the box \(box.text)", predicate: box.predicate))
    }
    if let circle {
      list.append(
        Condition("within \(style.distance(circle.radius)) of \(circle.name)", predicate: circle.box.predicate))
    }
    if let region {
      list.append(Condition("in a region named \"\(region.text)\"", predicate: region.cells.predicate))
    }
    if let source {
      list.append(Condition("from \"\(source)\"", "network ==[c] %@ OR service ==[c] %@", [source, source]))
    }
    return list
  }

  private var effectConditions: [Condition] {
    var list: [Condition] = []
    if let type {
      let isUsual = type.lowercased() == "earthquake"
      list.append(Condition("of type \"\(type)\"", "type ==[c] %@" + (isUsual ? " OR type == nil" : ""), [type]))
    }
    if let status { list.append(Condition("of status \"\(status)\"", "status ==[c] %@", [status])) }
    if isFelt { list.append(Condition("felt", "felt > 0", [])) }
    if let alert { list.append(Condition("of alert \(alert.rawValue) and above", "alert IN %@", [alert.andAbove])) }
    for limit in limits { list.append(Condition("with \(limit.text)", predicate: limit.predicate)) }
    for limit in marks {
      let format = limit.isExcluding ? "NOT (identifier IN %@)" : "identifier IN %@"
      list.append(Condition(limit.words, format, [limit.identifiers]))
    }
    if let text {
      list.append(Condition("named \"\(text)\"", "place CONTAINS[cd] %@ OR title CONTAINS[cd] %@", [text, text]))
    }
    return list
  }
}

extension QuakeFilter.Combination {
  fileprivate func condition(_ style: DisplayStyle) -> QuakeFilter.Condition {
    switch self {
    case .any(let filters):
      let parts = filters.map { $0.joined(style) }
      return QuakeFilter.Condition(
        parts.map(\.words).joined(separator: " or "),
        predicate: NSCompoundPredicate(orPredicateWithSubpredicates: parts.map(\.predicate)))
    case .not(let filter):
      let part = filter.joined(style)
      return QuakeFilter.Condition(
        "not \(part.words)", predicate: NSCompoundPredicate(notPredicateWithSubpredicate: part.predicate))
    }
  }
}

/// Judges states of any time as the store judges earthquakes: by the same predicate.
public struct StateFilter {
  private let filter: QuakeFilter
  /// nil if the standing is the only condition.
  private let predicate: NSPredicate?

  public init(_ filter: QuakeFilter) {
    (self.filter, predicate) = (filter, filter.conditions().count > 1 ? filter.predicate : nil)
  }

  /// - Parameter service: the reporting service, which is not part of a state because it never changes.
  public func matches(_ state: QuakeState, of service: String?) -> Bool {
    // As in the store: a number that is not a standing is not listed.
    let standing = state.number(.standing) ?? Double(Standing.live.rawValue)
    let isListed =
      standing == Double(Standing.live.rawValue)
      || filter.includesRetracted && standing == Double(Standing.retracted.rawValue)
    guard isListed, let latitude = state.number(.latitude), let longitude = state.number(.longitude) else {
      return false
    }
    guard let predicate else { return true }
    var values = state.objects
    values["service"] = service
    return predicate.evaluate(with: values) && filter.isInCircle(latitude: latitude, longitude: longitude)
  }
}
