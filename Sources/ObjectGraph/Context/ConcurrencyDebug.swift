import Foundation
import StrataDiagnostics

/// Stops a program that uses a context, or an object of one, on another queue than the context's.
///
/// On with the argument `-com.apple.CoreData.ConcurrencyDebug 1`, as on Apple's systems, or with
/// `COREDATA_CONCURRENCY_DEBUG=1` in the environment, for programs that read their arguments strictly. Off, it costs the
/// test of one flag. Ids, and what says which context an object belongs to, may be used anywhere.
enum ConcurrencyDebug {
  static let argument = "-com.apple.CoreData.ConcurrencyDebug"
  static let variable = "COREDATA_CONCURRENCY_DEBUG"

  /// Set once, before the first context is there; a `let` would be tested for being there at every use.
  nonisolated(unsafe) private(set) static var isOn = false

  /// Reads the argument and the environment, the first time.
  static func start() { _ = isStarted }

  private static let isStarted: Bool = {
    isOn = LaunchSetting(argument, or: variable).isOn
    return true
  }()

  /// Stops the program unless it is on the queue of a context. In a block of a second context that waits inside one of
  /// the first, the first is at rest and may be used.
  static func check(_ context: NSManagedObjectContext, _ call: @autoclosure () -> String) {
    guard !context.isCurrent else { return }
    let queue = context.concurrencyType == .mainQueueConcurrencyType ? "main queue" : "own queue"
    fatalError(
      "+[NSManagedObjectContext __Multithreading_Violation_AllThatIsLeftToUsIsHonor__]: \(call()) was called outside of "
        + "the \(queue) of the context \(context.label). "
        + "Call it in a block of perform(_:) or performAndWait(_:).")
  }
}

extension NSManagedObjectContext {
  /// Stops a call on a wrong queue, while that is looked for.
  @inline(__always)
  package final func checkQueue(_ call: StaticString = #function) {
    if ConcurrencyDebug.isOn { ConcurrencyDebug.check(self, "NSManagedObjectContext.\(call)") }
  }
}

extension NSManagedObject {
  /// Stops the use of a property on a wrong queue.
  /// - Parameter slot: the property, if it is one.
  @inline(never)
  func checkQueue(_ slot: Int) {
    checkQueue(layout.slots.indices.contains(slot) ? layout.slots[slot].name : "a property")
  }

  /// Stops the use of a to-many relationship on a wrong queue.
  @inline(never)
  func checkQueue(toMany number: Int) { checkQueue(layout.toMany[number].name) }

  private func checkQueue(_ name: String) {
    guard let context else { return }
    ConcurrencyDebug.check(context, "\(layout.name).\(name)")
  }
}
