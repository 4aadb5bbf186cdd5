import Dispatch
import Foundation

/// An action that any number of requests within one turn of the main queue run once, after that turn.
@MainActor
public final class PlannedAction {
  private var isPlanned = false
  private let action: @MainActor () -> Void

  /// - Parameter action: usually holds its owner weakly, because the owner has this object.
  public init(_ action: @escaping @MainActor () -> Void) { self.action = action }

  public func plan() {
    guard !isPlanned else { return }
    isPlanned = true
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        self.isPlanned = false
        self.action()
      }
    }
  }
}

/// Runs an action on the main queue at full minutes of the clock, when relative times change, also after the computer slept.
@MainActor
public final class MinuteTimer {
  private let source: any DispatchSourceTimer

  public init(_ action: @escaping @MainActor @Sendable () -> Void) {
    source = DispatchSource.makeTimerSource(queue: .main)
    source.schedule(
      wallDeadline: .now() + Age.secondsToNextMinute(Date()), repeating: .seconds(60), leeway: .milliseconds(500))
    source.setEventHandler { MainActor.assumeIsolated(action) }
    source.activate()
  }

  isolated deinit { source.cancel() }
}
