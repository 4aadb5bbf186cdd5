import Foundation

// The parts of key-value observing that Apple's Foundation has and Foundation on Linux lacks.

/// The values that are included in a change notification.
///
/// See <https://developer.apple.com/documentation/foundation/nskeyvalueobservingoptions>
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: UInt
  /// Creates a set from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The new value.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// The old value.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// A first call before anything changes.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  /// A call before each change, too.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// The kind of change to an observed value.
///
/// See <https://developer.apple.com/documentation/foundation/nskeyvaluechange>
public enum NSKeyValueChange: UInt, Sendable {
  /// The value was set, possibly to the same value.
  case setting = 1
  /// Objects were inserted into a to-many relationship.
  case insertion
  /// Objects were removed from a to-many relationship.
  case removal
  /// Objects of an ordered relationship were replaced.
  case replacement
}

/// A key of the dictionary for `observeValue(forKeyPath:of:change:context:)`.
///
/// See <https://developer.apple.com/documentation/foundation/nskeyvaluechangekey>
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  /// The key as a string.
  public let rawValue: String
  /// Creates a key from a string.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The raw value of the `NSKeyValueChange`, as an `NSNumber`.
  public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
  /// The new value, `NSNull` for nil; for an insertion, the inserted objects.
  public static let newKey = NSKeyValueChangeKey(rawValue: "new")
  /// The old value, `NSNull` for nil; for a removal, the removed objects.
  public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
  /// The affected indexes of an ordered relationship, as an `IndexSet`.
  public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
  /// True in a call before a change.
  public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// A change, as the closure of `observe(_:options:changeHandler:)` receives it.
///
/// See <https://developer.apple.com/documentation/foundation/nskeyvalueobservedchange>
public struct NSKeyValueObservedChange<Value> {
  /// The kind of a change.
  public typealias Kind = NSKeyValueChange

  /// The kind of the change.
  public let kind: Kind
  /// The new value, with the option `.new`; for an insertion, the inserted objects.
  public let newValue: Value?
  /// The old value, with the option `.old`; for a removal, the removed objects.
  public let oldValue: Value?
  /// The affected indexes of an ordered relationship; otherwise nil.
  public let indexes: IndexSet?
  /// Whether the change is still to come: see `NSKeyValueObservingOptions.prior`.
  public let isPrior: Bool
}

extension NSKeyValueObservedChange {
  /// Creates a change; by default of kind `setting`.
  package init(
    _ kind: Kind = .setting, from oldValue: Value?, to newValue: Value?, at indexes: IndexSet? = nil,
    isPrior: Bool = false
  ) {
    self.init(kind: kind, newValue: newValue, oldValue: oldValue, indexes: indexes, isPrior: isPrior)
  }
}

/// An observation. It ends when this object is released or invalidated.
///
/// See <https://developer.apple.com/documentation/foundation/nskeyvalueobservation>
public final class NSKeyValueObservation: NSObject, Sendable {
  private let end: @Sendable () -> Void

  /// - Parameter end: ends the observation; may be called more than once.
  package init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// Ends the observation.
  public func invalidate() { end() }
}

/// An observer for `addObserver(_:forKeyPath:options:context:)`.
///
/// On Apple's platforms every `NSObject` has the method, and observers override it. On Linux a class declares
/// conformance and implements it without `override`. Managed objects conform already.
public protocol NSKeyValueObserving: NSObject {
  /// Called when an observed value has changed.
  /// - Parameters:
  ///   - keyPath: the observed key path.
  ///   - object: the observed object.
  ///   - change: what changed.
  ///   - context: the context that was given to `addObserver(_:forKeyPath:options:context:)`.
  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
  )
}

/// A type that can be observed by Swift key paths.
public protocol _KeyValueCodingAndObserving {}
