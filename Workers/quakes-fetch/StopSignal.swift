import Dispatch
import Foundation
import Synchronization

/// Hears SIGTERM and SIGINT: what is being written is finished, what is awaited is given up.
final class StopSignal: Sendable {
  private let received = Mutex<Int32?>(nil)
  private let wakeUp = DispatchSemaphore(value: 0)
  // Set in init and read in deinit, so no two threads ever meet at it.
  nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []

  /// The signal that came first; nil while there was none.
  var signal: Int32? { received.withLock { $0 } }

  init() {
    sources = [SIGTERM, SIGINT].map { number in
      Foundation.signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [weak self] in self?.receive(number) }
      source.activate()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
  }

  /// Sleeps so long, or until a signal comes.
  func sleep(_ seconds: TimeInterval) {
    guard signal == nil else { return }
    _ = wakeUp.wait(timeout: .now() + seconds)
  }

  /// A second signal ends the process at once; the store bears that.
  private func receive(_ number: Int32) {
    received.withLock { if $0 == nil { $0 = number } }
    Foundation.signal(number, SIG_DFL)
    WebClient.stopAll()
    wakeUp.signal()
  }
}
