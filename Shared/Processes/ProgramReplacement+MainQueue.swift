import Dispatch
import Foundation

extension ProgramReplacement {
  /// Executes the newer version of a program that waits on the main queue, if the failure is that it has migrated the store.
  ///
  /// - Parameters:
  ///   - failure: the failure to read the store; receives the reason if the newer version cannot be executed.
  ///   - state: what `state(_:)` returns in the newer version, as it is after the signals and keys that came during the check.
  ///   - keptSignals: as for `execute(handing:keptSignals:keptFiles:)`.
  ///   - prepare: called right before the execution, for example to restore the terminal.
  ///   - onFailure: takes the failure if the execution fails after all.
  /// - Returns: whether the newer version is about to be executed.
  @MainActor public func execute<State: Codable & Sendable>(
    after failure: inout Failure, handing state: @autoclosure @escaping @MainActor () -> State,
    keptSignals: Set<Int32> = [], preparing prepare: @escaping @MainActor () -> Void = {},
    onFailure: @escaping @MainActor (Failure) -> Void
  ) -> Bool {
    do throws(Failure) {
      guard failure.isOfOtherVersion, try check() != nil else { return false }
    } catch {
      failure.message += "; \(error.message)"
      return false
    }
    // The check takes a moment: signals and keys that came during it are handled first.
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        let state = state()
        prepare()
        do throws(Failure) {
          try self.execute(handing: state, keptSignals: keptSignals)
        } catch {
          onFailure(error)
        }
      }
    }
    return true
  }
}
