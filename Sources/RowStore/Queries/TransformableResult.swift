import Foundation
import StrataManagedModel
import StrataPredicates
import Synchronization

/// A transformable attribute's value in a predicate: it equals the stored bytes; for everything else it is the
/// transformed value.
package struct TransformableResult: PredicateSubject {
  private let bytes: Data
  private let slot: PropertySlot

  package init(_ bytes: Data, _ slot: PropertySlot) {
    (self.bytes, self.slot) = (bytes, slot)
  }

  package var predicateIdentity: PredicateValue { .data(bytes) }

  package var predicateObject: Any { Self.reader.withLock { $0 }?(bytes, slot) ?? bytes }

  package var predicateContents: PredicateResult? { PredicateResult(plain: predicateObject) }

  package func predicateResult(forKey key: String) -> PredicateResult { .unknownKey }

  package func represents(_ value: PredicateValue) -> Bool {
    value == predicateIdentity || predicateContents?.isEqual(to: value) == true
  }

  // MARK: Reading

  package typealias Reader = @Sendable (_ bytes: Data, _ slot: PropertySlot) -> Any?

  private static let reader = Mutex<Reader?>(nil)

  /// Registers the function that transforms bytes: value transformers belong to a higher layer.
  package static func read(by reader: @escaping Reader) { self.reader.withLock { $0 = reader } }
}

extension Row {
  /// The value of a slot for a predicate.
  package func predicateResult(_ slot: Int) -> PredicateResult {
    let value = predicateValue(slot)
    guard layout.slots[slot].kind == .transformable, case .data(let bytes) = value else { return .value(value) }
    return .subject(TransformableResult(bytes, layout.slots[slot]))
  }
}
