import Foundation
import StrataQuakes

extension BodyImport {
  enum Order {
    case newer, older, same
  }

  /// Whether a document is newer than the current state.
  ///
  /// `generated` orders the snapshots of a service. A document without it is ordered by the event's own `updated`, and
  /// one without either never overwrites an event that has one.
  func order(of event: ParsedEvent, after quake: Quake) -> Order {
    if let generated = metadata.generated {
      if generated >= log.newest, generated >= quake.said ?? .distantPast { return .newer }
      return generated >= log.lastSaid(of: quake) ? .newer : .older
    }
    guard let stored = quake.updated else { return .newer }
    guard let updated = event.updated, updated != stored else { return event.isDeleted ? .newer : .same }
    return updated > stored ? .newer : .older
  }

  /// The time of the service's report, and the time of the import.
  func recordTime(of event: ParsedEvent) -> RecordTime {
    RecordTime(said: metadata.generated ?? event.updated ?? now, learnt: now)
  }
}
