import Foundation
import StrataQuakes

/// One event while its fields arrive, in any order and from any format.
///
/// Validates every value. A rejected value only affects its field: the field stays unknown and counts as absent.
struct EventDraft {
  var event = ParsedEvent()
  /// The fields that were refused.
  private(set) var problems: [FieldProblem] = []
  /// The event's service, if it is known.
  private(set) var service: String?

  /// The latest time that an event may have.
  let latest: Date
  var hasTime = false
  /// Whether the service has no IDs, so that time and place are the event's.
  var hasDerivedID = false
  /// The numbers of times that may be seconds although services write milliseconds.
  var seconds: (time: Double?, updated: Double?)
  /// Whether the last update is in milliseconds.
  var isUpdatedInMilliseconds = false
  /// The third coordinate: kilometers of depth, except for the EMSC, which writes height there and depth elsewhere.
  private var third: (value: FieldValue, position: Int)?

  /// - Parameter latest: the latest time that an event may have.
  init(latest: Date) {
    self.latest = latest
  }

  /// Bytes. The longest IDs of services have a third of it.
  private static let maximumIdentifierLength = 256

  /// The ID, if it is known and valid.
  var identifier: String? {
    1...Self.maximumIdentifierLength ~= event.identifier.utf8.count ? event.identifier : nil
  }

  /// Takes a field's value, unless it is refused.
  ///
  /// - Parameter position: the value's byte offset in the body.
  mutating func take(_ field: EventField, _ value: FieldValue, at position: Int) {
    // Some catalogs write the number of a region, whose name readers know by the position.
    if field == .stored(.place), case .text(let text) = value, !text.isEmpty, text.allSatisfy(\.isNumber) { return }
    do {
      try store(value, as: field)
    } catch {
      refuse(field, error, at: position)
    }
  }

  mutating func take(_ field: QuakeField, _ value: FieldValue, at position: Int) {
    take(.stored(field), value, at: position)
  }

  mutating func takeThirdCoordinate(_ value: FieldValue, at position: Int) {
    third = (value, position)
  }

  /// Takes the event's name: ID, network and code.
  mutating func take(_ name: EventName) {
    event.identifier = name.identifier
    (event.state[.network], event.state[.code]) = (.text(name.network), .text(name.code))
    event.presentFields.formUnion([.network, .code])
    service = name.service
  }

  /// Reads a field's text; null if it is empty. A field that is missing in the document is absent.
  mutating func take(_ field: QuakeField, text: String?, at position: Int) {
    guard let text else { return }
    take(field, text.isEmpty ? .null : .text(text), at: position)
  }

  /// Reads a text in meters as a field in kilometers.
  ///
  /// - Parameter sign: -1 if the meters are height.
  mutating func take(_ field: QuakeField, meters text: String?, sign: Double = 1, at position: Int) {
    guard let text, !text.isEmpty, let meters = Double(decimal: text) else {
      return take(field, text: text, at: position)
    }
    // By a whole number of micrometres, so that 7371.9 is the number that 7.3719 is.
    take(field, .number((meters * 1e6).rounded() / (sign * 1e9)), at: position)
  }

  /// Notes the first refusal of each field: an event may repeat a field any number of times.
  mutating func refuse(_ field: EventField, _ refusal: FieldRefusal, at position: Int) {
    guard !problems.contains(where: { $0.field == field }) else { return }
    problems.append(FieldProblem(field: field, reason: refusal.reason(of: field), position: position))
  }

  /// Notes what is wrong with the event besides its fields.
  mutating func note(_ reason: FeedProblem.Reason, at position: Int) {
    problems.append(FieldProblem(field: nil, reason: reason, position: position))
  }

  /// Completes the event.
  ///
  /// - Parameter start: where the event begins in the body.
  /// - Returns: why the event is lost, and where; nil if it is complete.
  mutating func conclude(at start: Int) -> (reason: FeedProblem.Reason, position: Int)? {
    takeDepthOfThirdCoordinate()
    if event.identifier.isEmpty, let network = event.network, let code = event.code {
      event.identifier = network + code
    }
    if event.identifier.isEmpty, !hasDerivedID {
      return loss(of: [.stored(.identifier), .publicID, .unid], named: "id", at: start)
    }
    guard identifier != nil || hasDerivedID else { return (.tooLong("id"), start) }
    // Only the USGS writes the network besides the ID.
    if service == nil, let network = event.network, event.identifier.hasPrefix(network) { service = "usgs" }
    if let reason = settleSeconds(at: start) { return (reason, start) }
    if !hasTime { return loss(of: [.stored(.time), .properties], named: "time", at: start) }
    guard event.state[.latitude] != nil, event.state[.longitude] != nil else {
      return loss(of: [.stored(.longitude), .stored(.latitude), .coordinates], named: "coordinates", at: start)
    }
    return nil
  }

  /// Takes times for seconds if the last update, which no service made in the 1970s, would otherwise be from then.
  ///
  /// - Returns: the reason to refuse an event with an unknown unit.
  private mutating func settleSeconds(at start: Int) -> FeedProblem.Reason? {
    guard let time = seconds.time else { return nil }
    if let updated = seconds.updated {
      (hasTime, event.updated) = (false, nil)
      take(.time, .number(time * 1000), at: start)
      take(.updated, .number(updated * 1000), at: start)
      return nil
    }
    return !isUpdatedInMilliseconds && FieldValue.recentSeconds ~= time ? .ambiguousTime(time) : nil
  }

  private mutating func takeDepthOfThirdCoordinate() {
    guard let third, !event.presentFields.contains(.depth) else { return }
    if service == "emsc", case .number(let height) = third.value {
      take(.depth, .number(-height), at: third.position)
    } else {
      take(.depth, third.value, at: third.position)
    }
  }

  private func loss(
    of fields: [EventField], named name: String, at start: Int
  ) -> (reason: FeedProblem.Reason, position: Int) {
    guard let problem = problems.first(where: { $0.field.map(fields.contains) ?? false }) else {
      return (.missing(name), start)
    }
    return (problem.reason, problem.position)
  }
}
