import Foundation
import StrataManagedModel
import StrataPredicates

/// Evaluates batch updates in memory, for sources without SQL.
extension BulkUpdate {
  /// The updated values of a row.
  /// - Parameter subject: the row as the subject of expressions.
  /// - Throws: `.unsupported` for an expression without a value of the slot's kind.
  package func change(of row: Row, as subject: some PredicateSubject) throws -> RowUpdate {
    let changed = row.copy()
    for slot in layout.slots.indices where constants[slot >> 6] >> UInt64(slot & 63) & 1 != 0 {
      changed.page.copySlot(slot, to: changed.index, from: values.page, row: values.index)
    }
    for computed in computed { try set(computed, of: changed, from: subject) }
    var words = [UInt64](repeating: 0, count: row.layout.nullWords)
    for (word, bits) in slots.enumerated() { words[word] = bits }
    return RowUpdate(row: changed, slots: words)
  }

  private func set(_ computed: Computed, of row: Row, from subject: some PredicateSubject) throws {
    let result: PredicateResult
    do {
      result = try computed.value.result(for: .subject(subject))
    } catch {
      throw StoreError(
        .unsupported, "A batch update of '\(layout.name)' cannot evaluate a value: \(error)", cause: error)
    }
    if case .value(let value) = result, row.set(computed.slot, converting: value) { return }
    if case .subject(let subject) = result, row.set(computed.slot, converting: subject.predicateIdentity) { return }
    throw StoreError(
      .unsupported,
      "A batch update of '\(layout.name)' cannot set '\(layout.slots[computed.slot].name)': the expression is of another type."
    )
  }
}

extension Row {
  /// Sets a slot of a row under construction; returns false if the value does not fit the slot's kind.
  fileprivate func set(_ slot: Int, converting value: PredicateValue) -> Bool {
    switch (layout.slots[slot].kind, value) {
    case (_, .null): set(slot: slot, to: .null)
    case (.integer16, _), (.integer32, _), (.integer64, _), (.boolean, _):
      guard let number = value.plain as? NSNumber else { return false }
      page.setInteger(number.int64Value, row: index, slot: slot)
    case (.double, _), (.float, _):
      guard let number = value.plain as? NSNumber else { return false }
      page.setDouble(number.doubleValue, row: index, slot: slot)
    case (.decimal, _):
      guard let number = value.plain as? NSNumber else { return false }
      set(slot: slot, to: .decimal(number.decimal))
    case (.string, .string(let text)), (.uri, .string(let text)): set(slot: slot, to: .string(text))
    case (.string, .url(let url)), (.uri, .url(let url)): set(slot: slot, to: .uri(url.absoluteString))
    case (.date, .date(let date)): set(slot: slot, to: .date(date.timeIntervalSinceReferenceDate))
    case (.uuid, .uuid(let uuid)): set(slot: slot, to: .uuid(uuid))
    case (.data, .data(let data)): set(slot: slot, to: .data(Array(data)))
    case (.toOne, .row(let bits)): page.setReference(RowID(bits: bits), row: index, slot: slot)
    default: return false
    }
    return true
  }
}
