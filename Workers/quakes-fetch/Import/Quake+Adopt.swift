import Foundation
import StrataQuakes

extension Quake {
  /// Copies an event's values, setting only those that differ: an object without changes is not saved.
  ///
  /// - Returns: whether anything differed.
  func adopt(_ event: ParsedEvent) -> Bool {
    var differs = adoptOrigin(event)
    differs = adoptDescription(event) || differs
    differs = adoptEffects(event) || differs
    return adoptQuality(event) || differs
  }

  /// Type, place, time, magnitude.
  private func adoptOrigin(_ event: ParsedEvent) -> Bool {
    var differs = false
    set(identifier, event.identifier, &differs) { identifier = $0 }
    set(magnitude?.doubleValue, event.magnitude, &differs) { magnitude = $0.map(NSNumber.init(value:)) }
    set(magnitudeType, event.magnitudeType, &differs) { magnitudeType = $0 }
    set(time, event.time, &differs) { time = $0 }
    set(updated, event.updated, &differs) { updated = $0 }
    set(longitude, event.longitude, &differs) { longitude = $0 }
    set(latitude, event.latitude, &differs) { latitude = $0 }
    set(depth?.doubleValue, event.depth, &differs) { depth = $0.map(NSNumber.init(value:)) }
    return differs
  }

  /// Names and links.
  private func adoptDescription(_ event: ParsedEvent) -> Bool {
    var differs = false
    set(place, event.place, &differs) { place = $0 }
    set(title, event.title, &differs) { title = $0 }
    set(type, event.type, &differs) { type = $0 }
    set(url, event.url, &differs) { url = $0 }
    set(detail, event.detail, &differs) { detail = $0 }
    set(network, event.network, &differs) { network = $0 }
    set(code, event.code, &differs) { code = $0 }
    set(ids, event.ids, &differs) { ids = $0 }
    set(sources, event.sources, &differs) { sources = $0 }
    set(types, event.types, &differs) { types = $0 }
    return differs
  }

  /// Effects on people.
  private func adoptEffects(_ event: ParsedEvent) -> Bool {
    var differs = false
    set(felt?.int32Value, event.felt, &differs) { felt = $0.map(NSNumber.init(value:)) }
    set(cdi?.doubleValue, event.cdi, &differs) { cdi = $0.map(NSNumber.init(value:)) }
    set(mmi?.doubleValue, event.mmi, &differs) { mmi = $0.map(NSNumber.init(value:)) }
    set(alert, event.alert, &differs) { alert = $0 }
    set(tsunami?.int32Value, event.tsunami, &differs) { tsunami = $0.map(NSNumber.init(value:)) }
    set(significance?.int32Value, event.significance, &differs) { significance = $0.map(NSNumber.init(value:)) }
    return differs
  }

  /// Quality.
  private func adoptQuality(_ event: ParsedEvent) -> Bool {
    var differs = false
    set(status, event.status, &differs) { status = $0 }
    set(nst?.int32Value, event.nst, &differs) { nst = $0.map(NSNumber.init(value:)) }
    set(dmin?.doubleValue, event.dmin, &differs) { dmin = $0.map(NSNumber.init(value:)) }
    set(rms?.doubleValue, event.rms, &differs) { rms = $0.map(NSNumber.init(value:)) }
    set(gap?.doubleValue, event.gap, &differs) { gap = $0.map(NSNumber.init(value:)) }
    return differs
  }

  @inline(__always)
  private func set<Value: Equatable>(
    _ stored: Value, _ told: Value, _ differs: inout Bool, _ assign: (Value) -> Void
  ) {
    guard stored != told else { return }
    assign(told)
    differs = true
  }
}
