import Foundation
import StrataQuakes

extension Quake {
  /// Copies what an event's document tells, setting only what differs: an object without changes is not saved.
  ///
  /// - Parameter keepsChanges: false for a new object, which had no state before.
  /// - Returns: the fields that changed, with their former values.
  func adopt(_ event: ParsedEvent, keepsChanges: Bool = true) -> QuakeState.Changes {
    var writer = FieldWriter(presentFields: event.presentFields, keepsChanges: keepsChanges)
    adoptOrigin(event, &writer)
    adoptDescription(event, &writer)
    adoptEffects(event, &writer)
    adoptQuality(event, &writer)
    return writer.changes
  }

  /// Id, time, position, magnitude.
  private func adoptOrigin(_ event: ParsedEvent, _ writer: inout FieldWriter) {
    writer.set(.identifier, from: identifier, to: event.identifier) { identifier = $0 }
    writer.set(.time, from: time, to: event.time) { time = $0 }
    writer.set(.longitude, from: longitude, to: event.longitude) { longitude = $0 ?? 0 }
    writer.set(.latitude, from: latitude, to: event.latitude) { latitude = $0 ?? 0 }
    writer.set(.depth, from: depth?.doubleValue, to: event.depth, if: .depth) { depth = $0.map(NSNumber.init(value:)) }
    writer.set(.magnitude, from: magnitude?.doubleValue, to: event.magnitude, if: .magnitude) {
      magnitude = $0.map(NSNumber.init(value:))
    }
    writer.set(.magnitudeType, from: magnitudeType, to: event.magnitudeType, if: .magnitudeType) { magnitudeType = $0 }
    writer.set(.updated, from: updated, to: event.updated, if: .updated) { updated = $0 }
  }

  /// Names and links.
  private func adoptDescription(_ event: ParsedEvent, _ writer: inout FieldWriter) {
    writer.set(.place, from: place, to: event.place, if: .place) { place = $0 }
    writer.set(.title, from: title, to: event.title, if: .title) { title = $0 }
    writer.set(.type, from: type, to: event.type, if: .type) { type = $0 }
    writer.set(.url, from: url, to: event.url, if: .url) { url = $0 }
    writer.set(.detail, from: detail, to: event.detail, if: .detail) { detail = $0 }
    writer.set(.network, from: network, to: event.network, if: .network) { network = $0 }
    writer.set(.code, from: code, to: event.code, if: .code) { code = $0 }
    writer.set(.ids, from: ids, to: event.ids, if: .ids) { ids = $0 }
    writer.set(.sources, from: sources, to: event.sources, if: .sources) { sources = $0 }
    writer.set(.types, from: types, to: event.types, if: .types) { types = $0 }
  }

  /// Effects on people.
  private func adoptEffects(_ event: ParsedEvent, _ writer: inout FieldWriter) {
    writer.set(.felt, from: felt?.int32Value, to: event.felt, if: .felt) { felt = $0.map(NSNumber.init(value:)) }
    writer.set(.cdi, from: cdi?.doubleValue, to: event.cdi, if: .cdi) { cdi = $0.map(NSNumber.init(value:)) }
    writer.set(.mmi, from: mmi?.doubleValue, to: event.mmi, if: .mmi) { mmi = $0.map(NSNumber.init(value:)) }
    writer.set(.alert, from: alert, to: event.alert, if: .alert) { alert = $0 }
    writer.set(.tsunami, from: tsunami?.int32Value, to: event.tsunami, if: .tsunami) {
      tsunami = $0.map(NSNumber.init(value:))
    }
    writer.set(.significance, from: significance?.int32Value, to: event.significance, if: .significance) {
      significance = $0.map(NSNumber.init(value:))
    }
  }

  /// Quality.
  private func adoptQuality(_ event: ParsedEvent, _ writer: inout FieldWriter) {
    writer.set(.status, from: status, to: event.status, if: .status) { status = $0 }
    writer.set(.nst, from: nst?.int32Value, to: event.nst, if: .nst) { nst = $0.map(NSNumber.init(value:)) }
    writer.set(.dmin, from: dmin?.doubleValue, to: event.dmin, if: .dmin) { dmin = $0.map(NSNumber.init(value:)) }
    writer.set(.rms, from: rms?.doubleValue, to: event.rms, if: .rms) { rms = $0.map(NSNumber.init(value:)) }
    writer.set(.gap, from: gap?.doubleValue, to: event.gap, if: .gap) { gap = $0.map(NSNumber.init(value:)) }
  }
}

/// Sets fields that differ, and keeps their former values.
private struct FieldWriter {
  let presentFields: EventFields
  let keepsChanges: Bool
  var changes: QuakeState.Changes = [:]

  init(presentFields: EventFields, keepsChanges: Bool) {
    (self.presentFields, self.keepsChanges) = (presentFields, keepsChanges)
  }

  /// - Parameter required: the field that the document must have; empty for fields of every event.
  @inline(__always)
  mutating func set<Value: StateValue>(
    _ field: QuakeField, from stored: Value?, to new: Value?, if required: EventFields = [],
    _ assign: (Value?) -> Void
  ) {
    guard stored != new, presentFields.isSuperset(of: required) else { return }
    assign(new)
    if keepsChanges { changes[field] = .some(stored?.stateValue) }
  }
}

/// A type of an event's field.
private protocol StateValue: Equatable {
  var stateValue: QuakeState.Value { get }
}

extension Double: StateValue {
  fileprivate var stateValue: QuakeState.Value { .number(self) }
}

extension Int32: StateValue {
  fileprivate var stateValue: QuakeState.Value { .number(Double(self)) }
}

extension String: StateValue {
  fileprivate var stateValue: QuakeState.Value { .text(self) }
}

extension Date: StateValue {
  fileprivate var stateValue: QuakeState.Value { .date(self) }
}
