import Dispatch
import Foundation

/// Reads the keyboard on the main queue.
@MainActor
public final class KeyReader {
  /// How long a lone Escape waits for the rest of a sequence. Over a slow connection its bytes come apart.
  private static let patience = DispatchTimeInterval.milliseconds(50)

  private var decoder = KeyDecoder()
  private let source: any DispatchSourceRead
  private var timer: (any DispatchSourceTimer)?
  private let onKeys: @MainActor ([Key]) -> Void
  private var isPaused = false

  /// - Parameters:
  ///   - onKeys: receives all keys of one read.
  ///   - onEnd: is called once when the terminal is gone.
  public init(
    _ descriptor: Int32 = STDIN_FILENO, onKeys: @escaping @MainActor @Sendable ([Key]) -> Void,
    onEnd: @escaping @MainActor @Sendable () -> Void
  ) {
    self.onKeys = onKeys
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        if count > 0 {
          self?.handle(bytes.prefix(count))
        } else if count < 0, errno == EIO, tcgetpgrp(descriptor) > 0 {
          // It is another's now: this process was stopped, and continues in the background.
          self?.pause()
        } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
          self?.source.cancel()
          onEnd()
        }
      }
    }
    source.activate()
  }

  /// Leaves the keyboard to others.
  public func pause() {
    if !isPaused { source.suspend() }
    isPaused = true
  }

  public func resume() {
    if isPaused { source.resume() }
    isPaused = false
  }

  private func handle(_ bytes: ArraySlice<UInt8>) {
    timer?.cancel()
    timer = nil
    let keys = decoder.keys(bytes)
    if decoder.isWaiting { wait() }
    if !keys.isEmpty { onKeys(keys) }
  }

  private func wait() {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + Self.patience)
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        guard let self else { return }
        self.timer = nil
        let keys = self.decoder.flush()
        if !keys.isEmpty { self.onKeys(keys) }
      }
    }
    timer.activate()
    self.timer = timer
  }
}
