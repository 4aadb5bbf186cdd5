import Foundation
import Observation

extension NSManagedObject {
  /// Reports that a property is read, for `withObservationTracking`. Only the accessors of `Observable` classes call
  /// it.
  public final func _track(_ key: borrowing _ManagedKey) {
    let tracked = flags.contains(.observed) ? ObjectObservers.tracked(of: self) : nil
    guard let tracked else { return trackAnew(key.name) }
    tracked.access(key.name)
  }

  @inline(never)
  private func trackAnew(_ name: String) {
    // A recorder's objects have no other user.
    guard context?.registry.recorder == nil else { return }
    ObjectObservers.makeTracked(of: self).access(name)
  }
}
