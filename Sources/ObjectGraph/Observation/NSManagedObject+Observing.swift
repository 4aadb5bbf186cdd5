import Foundation
import Observation
import StrataFoundationGaps
import StrataManagedModel
import StrataPredicates

/// Key-value observing of the properties of the model, of keys that subclasses announce by `willChangeValue(forKey:)`
/// and `didChangeValue(forKey:)`, and of key paths over them. Observers are notified synchronously, on the queue of the
/// context.
///
/// Every setter notifies, relationships at both ends, undo and rollback, merges and refreshes that replace values. As
/// on Apple's systems, the last two notify whether or not the observed property differs.
extension NSManagedObject: _KeyValueCodingAndObserving, NSKeyValueObserving {
  /// Adds an observer for the value at a key path. The observer is not kept alive, and must be removed before it is
  /// released.
  /// - Parameters:
  ///   - observer: the observer.
  ///   - keyPath: a path of property names.
  ///   - options: the values that the observer receives.
  ///   - context: passed on to the observer.
  public func addObserver(
    _ observer: any NSKeyValueObserving, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer? = nil
  ) {
    let keys = keyPath.split(separator: ".").map(String.init)
    let values = ValueObserver(
      of: self, at: keys, options,
      reading: { object in object.value(forKeyPath: keyPath) ?? NSNull() },
      handler: { [weak observer] object, values in
        observer?.observeValue(forKeyPath: keyPath, of: object, change: values.dictionary, context: context)
      })
    let id = ObjectIdentifier(observer)
    ObjectObservers.register(
      ObserverRegistration(observer: id, keyPath: keyPath, context: context, values: values), of: self)
    values.begin()
  }

  /// Removes the observer that was last added for a key path. Removing an observer that was not added stops the
  /// program, as on Apple's platforms.
  public func removeObserver(_ observer: any NSKeyValueObserving, forKeyPath keyPath: String) {
    removeObserver(observer, forKeyPath: keyPath) { _ in true }
  }

  /// Removes the observer that was last added for a key path with a context.
  public func removeObserver(
    _ observer: any NSKeyValueObserving, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    removeObserver(observer, forKeyPath: keyPath) { $0.context == context }
  }

  private func removeObserver(
    _ observer: any NSKeyValueObserving, forKeyPath keyPath: String, where fits: (ObserverRegistration) -> Bool
  ) {
    let id = ObjectIdentifier(observer)
    let found = ObjectObservers.unregister(from: self) { $0.observer == id && $0.keyPath == keyPath && fits($0) }
    guard let found else {
      fatalError(
        "Cannot remove an observer <\(type(of: observer)) \(ObjectIdentifier(observer))> for the key path \"\(keyPath)\" from <\(type(of: self)) \(ObjectIdentifier(self))> because it is not registered as an observer."
      )
    }
    found.values.end()
  }
}

extension _KeyValueCodingAndObserving where Self: NSManagedObject {
  /// Calls a closure when the value at a key path changes, until the returned object is released or invalidated.
  ///
  /// ```swift
  /// observation = quake.observe(\.magnitude, options: [.old, .new]) {
  ///   quake, change in
  ///   print(change.oldValue ?? 0, change.newValue ?? 0)
  /// }
  /// ```
  ///
  /// For a computed property, the closure is called when a property that it reads changes.
  /// - Parameters:
  ///   - keyPath: a key path of managed or computed properties.
  ///   - options: the values that the closure receives.
  ///   - changeHandler: called synchronously, on the context's queue.
  /// - Returns: the observation, which does not keep the object alive.
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let names = Self.observedNames(of: keyPath)
    let observer = ValueObserver(
      of: self, at: names.path, dependingOn: names.dependencies, options,
      // The observer passes the object that it was created for.
      reading: { unsafeDowncast($0, to: Self.self)[keyPath: keyPath] },
      handler: { object, values in
        changeHandler(unsafeDowncast(object, to: Self.self), NSKeyValueObservedChange(values))
      })
    observer.begin()
    return NSKeyValueObservation { observer.end() }
  }

  /// Announces that the value at a key path is about to change.
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    willChangeValue(forKey: Self.announcedName(of: keyPath))
  }

  /// Announces that the value at a key path has changed.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    didChangeValue(forKey: Self.announcedName(of: keyPath))
  }
}

extension NSManagedObject {
  /// Returns the name by which a change at a key path is announced. It reads no property.
  fileprivate static func announcedName(of keyPath: AnyKeyPath) -> String {
    (try? propertyPath(of: keyPath).names.joined(separator: ".")) ?? computedName(of: keyPath)
  }

  private static func computedName(of keyPath: AnyKeyPath) -> String {
    ComputedProperties.name(of: keyPath, from: self) ?? "\(keyPath)"
  }

  /// Returns the keys of a key path; for a computed one, a string that identifies it, and the properties that it reads.
  fileprivate static func observedNames(of keyPath: AnyKeyPath) -> (path: [String], dependencies: [[String]]) {
    do {
      return (try propertyPath(of: keyPath).names, [])
    } catch {
      guard let read = readPaths(of: keyPath) else {
        fatalError("Could not extract a String from KeyPath \(keyPath): \(error)")
      }
      // A change announced by the same key path has the same name.
      return ([computedName(of: keyPath)], read)
    }
  }
}

extension ObservedValues {
  fileprivate var dictionary: [NSKeyValueChangeKey: Any] {
    var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSNumber(value: kind.rawValue)]
    if let new { change[.newKey] = new }
    if let old { change[.oldKey] = old }
    if let indexes { change[.indexesKey] = indexes }
    if isPrior { change[.notificationIsPriorKey] = true }
    return change
  }
}

extension NSKeyValueObservedChange {
  fileprivate init(_ values: ObservedValues) {
    self.init(
      values.kind, from: values.old.flatMap(Self.value), to: values.new.flatMap(Self.value), at: values.indexes,
      isPrior: values.isPrior)
  }

  /// Converts a value: the objects of an ordered relationship arrive as an array, whatever the property's type.
  private static func value(_ found: Any) -> Value? {
    if let value = found as? Value { return value }
    return (found as? NSArray).flatMap { NSOrderedSet(array: $0 as? [Any] ?? []) as? Value }
  }
}

extension NSManagedObject {
  /// Reports that a property is read, for `withObservationTracking`. Only the accessors of `Observable` classes call
  /// it.
  public final func _track(_ key: borrowing _ManagedKey) {
    let tracked = flags.contains(.observed) ? ObjectObservers.tracked(of: self) : nil
    guard let tracked else { return trackAnew(key.name) }
    tracked.access(key.name)
  }

  @inline(never)
  private func trackAnew(_ name: String) {
    // A recorder's objects have no other user.
    guard context?.registry.recorder == nil else { return }
    ObjectObservers.makeTracked(of: self).access(name)
  }
}
