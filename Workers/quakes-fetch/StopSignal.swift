import Dispatch
import Foundation
import Synchronization

/// Handles SIGTERM and SIGINT: finishes the current write, cancels transfers and waits.
final class StopSignal: Sendable {
  private let received = Mutex<Int32?>(nil)
  private let wakeUp = DispatchSemaphore(value: 0)
  // Set in init and read in deinit only, so there is no concurrent access.
  nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []

  /// The first signal received; nil if none.
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

  /// Sleeps until the time is up or a signal arrives.
  func sleep(_ seconds: TimeInterval) {
    guard signal == nil else { return }
    _ = wakeUp.wait(timeout: .now() + seconds)
  }

  /// A second signal ends the process at once, which is safe for the store.
  private func receive(_ number: Int32) {
    received.withLock { if $0 == nil { $0 = number } }
    Foundation.signal(number, SIG_DFL)
    WebClient.stopAll()
    wakeUp.signal()
  }
}
