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
  /// observation = manager.observe(\.migrationProgress) { manager, _ in show(manager.migrationProgress) }
  /// ```
  /// - Parameters:
  ///   - keyPath: `migrationProgress`, the only observable property.
  ///   - options: what the closure is told.
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
}

/// The observers of a migration's progress.
final class ProgressObservers: Sendable {
  struct Observer: @unchecked Sendable {
    // Sendable: called on the manager's thread, and only released elsewhere.
    let options: NSKeyValueObservingOptions
    let tell: (NSKeyValueObservedChange<Float>) -> Void

    init(options: NSKeyValueObservingOptions, _ tell: @escaping (NSKeyValueObservedChange<Float>) -> Void) {
      (self.options, self.tell) = (options, tell)
    }
  }

  private struct State {
    var last = 0
    var observers: [(id: Int, observer: Observer)] = []
  }
  private let state = Mutex(State())

  func add(_ observer: Observer) -> Int {
    state.withLock { state in
      state.last += 1
      state.observers.append((state.last, observer))
      return state.last
    }
  }

  func remove(_ id: Int) { state.withLock { state in state.observers.removeAll { $0.id == id } } }

  /// Notifies observers who asked to hear before a change.
  func tellPrior(_ old: Float) {
    tell {
      $0.contains(.prior) ? NSKeyValueObservedChange(from: $0.contains(.old) ? old : nil, to: nil, isPrior: true) : nil
    }
  }

  func tell(from old: Float, to new: Float) {
    tell { NSKeyValueObservedChange(from: $0.contains(.old) ? old : nil, to: $0.contains(.new) ? new : nil) }
  }

  private func tell(_ change: (NSKeyValueObservingOptions) -> NSKeyValueObservedChange<Float>?) {
    // An observer may end its observation or start another.
    for (_, observer) in state.withLock({ $0.observers }) { change(observer.options).map(observer.tell) }
  }
}
