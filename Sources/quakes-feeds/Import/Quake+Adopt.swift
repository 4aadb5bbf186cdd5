import StrataQuakes

extension Quake {
  /// Copies what an event's document tells, setting only what differs: an object without changes is not saved.
  ///
  /// - Returns: the fields that changed, with their former values.
  func adopt(_ event: ParsedEvent) -> QuakeState.Changes {
    var changes: QuakeState.Changes = [:]
    for stored in StoredField.all where event.has(stored.field) {
      let (former, new) = (stored.attribute.value(of: self), event.state[stored.field])
      guard former != new else { continue }
      stored.attribute.set(new, of: self)
      changes[stored.field] = .some(former)
    }
    return changes
  }

  /// Copies what an event's document tells to a new object, which had no state before.
  func adoptFirst(_ event: ParsedEvent) {
    for stored in StoredField.all {
      if let value = event.state[stored.field] { stored.attribute.set(value, of: self) }
    }
  }
}
