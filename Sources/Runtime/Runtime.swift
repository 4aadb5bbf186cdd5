@_exported import StrataCSwiftRuntime

/// The checks, in the running program, of this target's expectations of Swift and Foundation beyond their public interfaces.
///
/// Each file of the target holds one expectation, with the reason for it, a check, and a fallback or a clear stop.
package enum RuntimeChecks {
  /// Checks once what would corrupt memory if it did not hold. Called before the first context exists.
  package static func run() { _ = isDone }

  private static let isDone: Bool = {
    ShortText.start()
    guard ObjectReferences.areUsable else {
      fatalError(
        "swift_tryRetain of this Swift runtime does not behave as this package expects: use Swift 6.3.")
    }
    return true
  }()
}
