import Foundation
import StrataFoundationGaps
import StrataObjectGraph
import Synchronization

extension NSMigrationManager: _KeyValueCodingAndObserving {}

extension _KeyValueCodingAndObserving where Self: NSMigrationManager {
  /// Calls a closure when the progress of the migration changes, on the thread that migrates, until the returned object
  /// is released or invalidated.
  ///
  /// ```swift
  /// observation = manager.observe(\.migrationProgress) { manager, _ in
  ///   show(manager.migrationProgress)
  /// }
  /// ```
  /// - Parameters:
  ///   - keyPath: `migrationProgress`, the only observable property.
  ///   - options: the values that the closure receives.
  ///   - changeHandler: the closure.
  /// - Returns: the observation, which does not keep the manager alive.
  public func observe(
    _ keyPath: KeyPath<Self, Float>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Self, NSKeyValueObservedChange<Float>) -> Void
  ) -> NSKeyValueObservation {
    let id = observers.add(
      ProgressObservers.Observer(options: options) { [weak self] change in
        if let self { changeHandler(self, change) }
      })
    if options.contains(.initial) {
      changeHandler(self, NSKeyValueObservedChange(from: nil, to: options.contains(.new) ? migrationProgress : nil))
    }
    return NSKeyValueObservation { [weak observers] in observers?.remove(id) }
  }

  // The key path to an override differs from that to the property itself, and has no name. The manager has no other
  // property of the type Float.

  /// Announces that a subclass is about to change `migrationProgress`, the only property with observers. A key path to
  /// another `Float` of the subclass counts as that to the progress.
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    if Value.self == Float.self { willChangeProgress() }
  }

  /// Announces that a subclass has changed `migrationProgress`.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    if Value.self == Float.self { didChangeProgress() }
  }
}

extension NSMigrationManager {
  /// Announces that a subclass is about to change a property: `migrationProgress` is the only one with observers.
  public func willChangeValue(forKey key: String) {
    if key == "migrationProgress" { willChangeProgress() }
  }

  /// Announces that a subclass has changed a property.
  public func didChangeValue(forKey key: String) {
    if key == "migrationProgress" { didChangeProgress() }
  }

  fileprivate func willChangeProgress() { observers.announce(migrationProgress) }
  fileprivate func didChangeProgress() { observers.notifyAnnounced(now: migrationProgress) }
}

/// The observers of a migration's progress.
final class ProgressObservers: Sendable {
  struct Observer: @unchecked Sendable {
    // Sendable: called on the manager's thread, and only released elsewhere.
    let options: NSKeyValueObservingOptions
    let handler: (NSKeyValueObservedChange<Float>) -> Void

    init(options: NSKeyValueObservingOptions, _ handler: @escaping (NSKeyValueObservedChange<Float>) -> Void) {
      (self.options, self.handler) = (options, handler)
    }
  }

  private struct State {
    var last = 0
    var observers: [(id: Int, observer: Observer)] = []
    /// The values before the changes that a subclass has announced.
    var announced: [Float] = []
  }
  private let state = Mutex(State())

  func add(_ observer: Observer) -> Int {
    state.withLock { state in
      state.last += 1
      state.observers.append((state.last, observer))
      return state.last
    }
  }

  func remove(_ id: Int) {
    let removed = state.withLock { state in
      state.observers.firstIndex { $0.id == id }.map { state.observers.remove(at: $0) }
    }
    // Released outside the lock: the closure may hold the last reference to another observation.
    withExtendedLifetime(removed) {}
  }

  /// Keeps the value before a change that a subclass announces.
  func announce(_ old: Float) {
    state.withLock { $0.announced.append(old) }
    notifyPrior(old)
  }

  func notifyAnnounced(now new: Float) {
    if let old = state.withLock({ $0.announced.popLast() }) { notify(from: old, to: new) }
  }

  /// Notifies observers who asked to hear before a change.
  func notifyPrior(_ old: Float) {
    notify {
      $0.contains(.prior) ? NSKeyValueObservedChange(from: $0.contains(.old) ? old : nil, to: nil, isPrior: true) : nil
    }
  }

  func notify(from old: Float, to new: Float) {
    notify { NSKeyValueObservedChange(from: $0.contains(.old) ? old : nil, to: $0.contains(.new) ? new : nil) }
  }

  private func notify(_ change: (NSKeyValueObservingOptions) -> NSKeyValueObservedChange<Float>?) {
    // An observer may end its observation or start another.
    for (_, observer) in state.withLock({ $0.observers }) { change(observer.options).map(observer.handler) }
  }
}
