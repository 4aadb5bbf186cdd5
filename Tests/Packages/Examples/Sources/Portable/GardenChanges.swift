import CoreData

#if canImport(Combine)
import Combine
#endif

/// Calls a closure after each change of a context: from a Combine publisher if Combine is available, and otherwise from an
/// asynchronous sequence.
@MainActor
public final class GardenChanges {
  #if canImport(Combine)
  private var cancellable: AnyCancellable?
  #else
  private var task: Task<Void, Never>?
  #endif

  public init(in context: NSManagedObjectContext, _ action: @escaping @MainActor () -> Void) {
    #if canImport(Combine)
    cancellable = NotificationCenter.default
      .publisher(for: .NSManagedObjectContextObjectsDidChange, object: context)
      .receive(on: DispatchQueue.main)
      .sink { _ in MainActor.assumeIsolated { action() } }
    #else
    let notifications = NotificationCenter.default.notifications(
      named: .NSManagedObjectContextObjectsDidChange, object: context)
    task = Task {
      for await _ in notifications { action() }
    }
    #endif
  }

  #if !canImport(Combine)
  deinit { task?.cancel() }
  #endif
}
