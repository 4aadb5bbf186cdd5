import CoreData
import Foundation
import StrataObjectGraph
import StrataTestSupport
import Synchronization
import Testing

/// The contexts of a coordinator, which uses them under locks that their deinitializers may need.
@Suite struct ContextListTests {
  /// Another thread repeatedly asks a coordinator's list for the other contexts while a context is released. In half of the
  /// rounds, the list visits that context at the time.
  @Test func `an excluded context is not retained`() async {
    let others = (0..<50).map { _ in Self.mergingContext() }
    let round = Mutex<(list: ContextList, origin: ObjectIdentifier)?>(nil)
    let state = Atomic(RoundState.waiting)
    let ends = Atomic(0)
    let lookups = Task {
      await onOwnThread {
        Thread.current.threadDictionary["looks"] = true
        while true {
          switch state.load(ordering: .acquiring) {
          case .waiting: continue
          case .over: return
          case .running: if let round = round.withLock({ $0 }) { _ = round.list.merging(except: round.origin) }
          }
        }
      }
    }
    await onOwnThread {
      for _ in 0..<200 {
        var origin: NSManagedObjectContext? = Self.mergingContext()
        let list = ContextList()
        for context in [origin].compactMap(\.self) + others { list.append(context) }
        origin?.userInfo["end"] = DeinitCallback {
          if Thread.current.threadDictionary["looks"] != nil { ends.add(1, ordering: .relaxed) }
        }
        round.withLock { $0 = origin.map { (list, ObjectIdentifier($0)) } }
        state.store(.running, ordering: .releasing)
        usleep(100)
        origin = nil
        usleep(100)
      }
      state.store(.over, ordering: .releasing)
    }
    await lookups.value
    #expect(ends.load(ordering: .relaxed) == 0)
  }

  private enum RoundState: Int, AtomicRepresentable { case waiting, running, over }

  private final class DeinitCallback: NSObject {
    private let onDeinit: () -> Void
    init(_ onDeinit: @escaping () -> Void) { self.onDeinit = onDeinit }
    deinit { onDeinit() }
  }

  private static func mergingContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.automaticallyMergesChangesFromParent = true
    return context
  }
}
