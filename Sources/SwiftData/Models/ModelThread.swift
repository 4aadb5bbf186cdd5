import CoreData
import Foundation

/// The current thread's state for models.
final class ModelThread {
  /// The object for which a model is being made; the model's state takes it. nil otherwise.
  @exclusivity(unchecked) var pending: Pending?
  /// For models without a context.
  let probe = ReadProbe()

  /// An object and a context, which the model that is made retains.
  struct Pending {
    let type: ObjectIdentifier
    let object: UnsafeRawPointer
    let context: UnsafeRawPointer
    let generation: UInt32
  }

  private init() {}

  /// Takes the object for which a model of a class is being made.
  @inline(__always)
  func takePending(for type: Any.Type) -> Pending? {
    guard let pending, pending.type == ObjectIdentifier(type) else { return nil }
    self.pending = nil
    return pending
  }

  /// The current thread's.
  @inline(__always)
  static var current: ModelThread {
    guard let pointer = pthread_getspecific(key) else { return new() }
    return Unmanaged<ModelThread>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0 }
  }

  @inline(never)
  private static func new() -> ModelThread {
    let thread = ModelThread()
    pthread_setspecific(key, Unmanaged.passRetained(thread).toOpaque())
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
