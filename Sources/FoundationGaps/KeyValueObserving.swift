import Foundation

// What Apple's Foundation has for key-value observing, and Foundation on Linux has not.

/// What an observer is told of a change.
/// See https://developer.apple.com/documentation/foundation/nskeyvalueobservingoptions
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The new value.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// The value before the change.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// Once at the beginning, before anything changed.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  /// Before each change, too.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// What happened to an observed value.
/// See https://developer.apple.com/documentation/foundation/nskeyvaluechange
public enum NSKeyValueChange: UInt, Sendable {
  /// It has another value, or may have.
  case setting = 1
  /// Objects were added to a to-many relationship.
  case insertion
  /// Objects were taken out of one.
  case removal
  /// Objects of an ordered one gave their places to others.
  case replacement
}

/// A part of what `observeValue(forKeyPath:of:change:context:)` is told.
/// See https://developer.apple.com/documentation/foundation/nskeyvaluechangekey
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The raw value of an `NSKeyValueChange`, as an `NSNumber`.
  public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
  /// The new value, NSNull for nil; of an insertion the objects that came.
  public static let newKey = NSKeyValueChangeKey(rawValue: "new")
  /// The value before, NSNull for nil; of a removal the objects that went.
  public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
  /// The places in an ordered relationship, as an `IndexSet`.
  public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
  /// True in what is told before a change.
  public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// What the closure of `observe(_:options:changeHandler:)` is told of a change.
/// See https://developer.apple.com/documentation/foundation/nskeyvalueobservedchange
public struct NSKeyValueObservedChange<Value> {
  public typealias Kind = NSKeyValueChange

  public let kind: Kind
  /// The new value, if the option `.new` asks for it; of an insertion the objects that came.
  public let newValue: Value?
  /// The value before, if the option `.old` asks for it; of a removal the objects that went.
  public let oldValue: Value?
  /// The places in an ordered relationship where objects came or went; else nil.
  public let indexes: IndexSet?
  /// Whether the change is still to come: see `NSKeyValueObservingOptions.prior`.
  public let isPrior: Bool
}

extension NSKeyValueObservedChange {
  /// A change of a value: that it is set, unless something else is said.
  package init(
    _ kind: Kind = .setting, from oldValue: Value?, to newValue: Value?, at indexes: IndexSet? = nil,
    isPrior: Bool = false
  ) {
    self.init(kind: kind, newValue: newValue, oldValue: oldValue, indexes: indexes, isPrior: isPrior)
  }
}

/// Keeps an observation going: it ends with this object, or with `invalidate()`.
/// See https://developer.apple.com/documentation/foundation/nskeyvalueobservation
public final class NSKeyValueObservation: NSObject, Sendable {
  private let end: @Sendable () -> Void

  /// - Parameter end: ends the observation; called more than once.
  package init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// Ends the observation.
  public func invalidate() { end() }
}

/// What an object that `addObserver(_:forKeyPath:options:context:)` is given conforms to. On Apple's systems every
/// `NSObject` has the method, and an observer overrides it; on Linux a class says that it conforms, without `override`. A
/// managed object conforms already.
public protocol NSKeyValueObserving: NSObject {
  /// Told of a change of what the object observes.
  /// - Parameter context: what `addObserver` was given.
  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
  )
}

/// What can be observed by Swift key paths.
public protocol _KeyValueCodingAndObserving {}
