/// The registry of a context refers to its objects without retaining them.
///
/// A Swift `weak` reference costs each object a side table, which takes four times as long as `swift_tryRetain`. That
/// function and `swift_retain_n` are exported by libswiftCore, because compiled code calls them, but Swift code cannot name
/// them: `strata_try_retain` and `strata_retain` call them. A runtime without them does not link.
package enum ObjectReferences {
  /// Whether an object can be retained until its deinitialization begins, and no longer.
  package static var areUsable: Bool {
    var outcome: Bool?
    do {
      let object = Dying { outcome = strata_try_retain($0) == nil }
      let pointer = Unmanaged.passUnretained(object).toOpaque()
      guard strata_try_retain(pointer) == pointer else { return false }
      strata_retain(pointer, 2)
      for _ in 0..<3 { Unmanaged<Dying>.fromOpaque(pointer).release() }
      guard outcome == nil else { return false }
      withExtendedLifetime(object) {}
    }
    return outcome == true
  }

  private final class Dying {
    private let body: (UnsafeMutableRawPointer) -> Void
    init(_ body: @escaping (UnsafeMutableRawPointer) -> Void) { self.body = body }
    deinit { body(Unmanaged.passUnretained(self).toOpaque()) }
  }
}
