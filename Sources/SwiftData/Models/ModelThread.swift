import CoreData
import Foundation
import Observation

/// What the current thread does with models.
final class ModelThread: Observable {
  /// The object for which a model is being made; its backing data takes it. nil otherwise.
  var pending: (type: ObjectIdentifier, object: ModelObject, generation: UInt32)?

  /// Takes the object for which a model of a class is being made.
  func takePending(for type: Any.Type) -> (object: ModelObject, generation: UInt32)? {
    guard let pending, pending.type == ObjectIdentifier(type) else { return nil }
    self.pending = nil
    return (pending.object, pending.generation)
  }

  private var probe = ObservationRegistrar()
  private let probePath: KeyPath<ModelThread, Void> = \ModelThread.[Probe()]
  private var wasTracked = false
  /// Whether tracking cannot be recognized, so that every access has to be reported.
  private var cannotTell = false

  private init() {}

  // MARK: Observation

  /// Whether `withObservationTracking` collects what the thread reads.
  ///
  /// `Observation` does not tell, but while it collects, it hashes the key paths of what is read: that of the probe notes it.
  /// Making a registrar for every model instead would cost twice as much as the model.
  var isTracking: Bool {
    if cannotTell { return true }
    probe.access(self, keyPath: probePath)
    guard wasTracked else { return false }
    wasTracked = false
    // The collection keeps the registrar's state, which would otherwise grow with every collection.
    probe = ObservationRegistrar()
    return true
  }

  private struct Probe: Hashable {
    func hash(into hasher: inout Hasher) { ModelThread.current.wasTracked = true }
  }

  private subscript(probe: Probe) -> Void {}

  // MARK: Threads

  /// The current thread's.
  static var current: ModelThread {
    if let pointer = pthread_getspecific(key) {
      return Unmanaged<ModelThread>.fromOpaque(pointer).takeUnretainedValue()
    }
    let thread = ModelThread()
    pthread_setspecific(key, Unmanaged.passRetained(thread).toOpaque())
    // In it, the probe finds the thread.
    withObservationTracking {
      thread.cannotTell = !thread.isTracking
    } onChange: {
    }
    return thread
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let result = pthread_key_create(&key) { pointer in
      if let pointer { Unmanaged<ModelThread>.fromOpaque(pointer).release() }
    }
    precondition(result == 0, "The process has no storage for threads left")
    return key
  }()
}

/// Whether `withObservationTracking` collects what the thread reads.
///
/// Only for code that `@Model` generates.
public var _isTrackingObservations: Bool { ModelThread.current.isTracking }
