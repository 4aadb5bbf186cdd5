import Foundation
import StrataManagedModel
import StrataPredicates
import Synchronization

/// The value of a transformable attribute in a predicate: equal to the bytes that a store has of it, and for everything
/// else what its transformer makes of these.
package struct TransformableAnswer: PredicateSubject {
  private let bytes: Data
  private let slot: PropertySlot

  package init(_ bytes: Data, _ slot: PropertySlot) {
    (self.bytes, self.slot) = (bytes, slot)
  }

  package var predicateIdentity: PredicateValue { .data(bytes) }

  package var predicateObject: Any { Self.reader.withLock { $0 }?(bytes, slot) ?? bytes }

  package var predicateContents: PredicateAnswer? { PredicateAnswer(plain: predicateObject) }

  package func predicateAnswer(forKey key: String) -> PredicateAnswer { .unknownKey }

  package func represents(_ value: PredicateValue) -> Bool {
    value == predicateIdentity || predicateContents?.isEqual(to: value) == true
  }

  // MARK: Reading

  package typealias Reader = @Sendable (_ bytes: Data, _ slot: PropertySlot) -> Any?

  private static let reader = Mutex<Reader?>(nil)

  /// Says how bytes are read: value transformers are of a higher layer.
  package static func read(by reader: @escaping Reader) { self.reader.withLock { $0 = reader } }
}

extension Row {
  /// What a predicate finds in a slot.
  package func predicateAnswer(_ slot: Int) -> PredicateAnswer {
    let value = predicateValue(slot)
    guard layout.slots[slot].kind == .transformable, case .data(let bytes) = value else { return .value(value) }
    return .subject(TransformableAnswer(bytes, layout.slots[slot]))
  }
}
