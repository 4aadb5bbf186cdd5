import Foundation
import StrataSupport

/// Stops a program that uses a context, or one of its objects, off the context's queue.
///
/// Enabled in debug builds, and disabled in release builds, unless the program is started with the argument
/// `-com.apple.CoreData.ConcurrencyDebug`, as on Apple's systems, or with `COREDATA_CONCURRENCY_DEBUG` in the environment,
/// for programs that parse their arguments strictly: 1 enables it, 0 disables it. While disabled, it costs a test of one
/// flag. Object IDs, and an object's context, may be used on any thread.
enum ConcurrencyDebug {
  static let argument = "-com.apple.CoreData.ConcurrencyDebug"
  static let variable = "COREDATA_CONCURRENCY_DEBUG"

  /// Set once, before the first context exists; a `let` would be checked for initialization at every use.
  nonisolated(unsafe) private(set) static var isOn = false

  /// Reads the argument and the environment on the first call.
  static func start() { _ = isStarted }

  private static let isStarted: Bool = {
    let setting = LaunchSetting(argument, or: variable)
    isOn = setting.value == nil ? isOnByDefault : setting.isOn
    return true
  }()

  #if DEBUG
  private static let isOnByDefault = true
  #else
  private static let isOnByDefault = false
  #endif

  /// Whether reading and writing take the fast paths. In debug builds these check the queue themselves; in release builds they
  /// do not, so they are off while the check is on.
  @inline(__always)
  static var allowsFastPaths: Bool {
    #if DEBUG
    true
    #else
    !isOn
    #endif
  }

  /// Stops the program unless it is on the context's queue. While a block of one context waits for a block of another,
  /// the first context is idle and may be used from the second.
  static func check(_ context: NSManagedObjectContext, call: @autoclosure () -> String) {
    guard !context.isCurrent else { return }
    let queue = context.concurrencyType == .mainQueueConcurrencyType ? "main queue" : "own queue"
    fatalError(
      "+[NSManagedObjectContext __Multithreading_Violation_AllThatIsLeftToUsIsHonor__]: \(call()) was called outside of "
        + "the \(queue) of the context \(context.label). "
        + "Call it in a block of perform(_:) or performAndWait(_:); COREDATA_CONCURRENCY_DEBUG=0 turns this check off.")
  }
}

extension NSManagedObjectContext {
  /// Stops a call on the wrong queue if debugging is enabled.
  @inline(__always)
  package final func checkQueue(_ call: StaticString = #function) {
    if ConcurrencyDebug.isOn { ConcurrencyDebug.check(self, call: "NSManagedObjectContext.\(call)") }
  }
}

extension NSManagedObject {
  /// Stops an access to a property on the wrong queue.
  /// - Parameter slot: the property; nil for the object itself.
  @inline(never)
  func checkQueue(_ slot: Int) {
    checkQueue(layout.slots.indices.contains(slot) ? layout.slots[slot].name : "a property")
  }

  /// Stops an access on the wrong queue where a release build takes a fast path, which has no check.
  @inline(__always)
  func checkQueueOnFastPath(_ slot: Int) {
    #if DEBUG
    if ConcurrencyDebug.isOn { checkQueue(slot) }
    #endif
  }

  /// Stops an access to a to-many relationship on the wrong queue.
  @inline(never)
  func checkQueue(toMany number: Int) { checkQueue(layout.toMany[number].name) }

  private func checkQueue(_ name: String) {
    guard let context else { return }
    ConcurrencyDebug.check(context, call: "\(layout.name).\(name)")
  }

  /// As `checkQueueOnFastPath(_:)`, for a to-many relationship.
  @inline(__always)
  func checkQueueOnFastPath(toMany number: Int) {
    #if DEBUG
    if ConcurrencyDebug.isOn { checkQueue(toMany: number) }
    #endif
  }
}
