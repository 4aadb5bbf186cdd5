import CoreData
import Foundation
import StrataObjectGraph
import StrataTestSupport
import Synchronization
import Testing

/// The contexts of a coordinator, which uses them under locks that their deinitializers may need.
@Suite struct ContextListTests {
  /// Another thread has the list of a coordinator look for the other contexts, over and over, while a context ends: in half of
  /// the rounds, while it looks at that context.
  @Test func `a context that is left out is not retained`() async {
    let others = (0..<50).map { _ in Self.mergingContext() }
    let round = Mutex<(list: ContextList, origin: ObjectIdentifier)?>(nil)
    let state = Atomic(RoundState.waiting)
    let ends = Atomic(0)
    let looking = Task {
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
        origin?.userInfo["end"] = End {
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
    await looking.value
    #expect(ends.load(ordering: .relaxed) == 0)
  }

  private enum RoundState: Int, AtomicRepresentable { case waiting, running, over }

  private final class End: NSObject {
    private let tell: () -> Void
    init(_ tell: @escaping () -> Void) { self.tell = tell }
    deinit { tell() }
  }

  private static func mergingContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.automaticallyMergesChangesFromParent = true
    return context
  }
}
