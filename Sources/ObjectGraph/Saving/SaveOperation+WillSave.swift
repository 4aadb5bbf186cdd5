import Foundation

/// The hooks of objects, which may change more objects.
extension SaveOperation {
  /// The largest number of rounds of `willSave`; Apple's framework gives up at 1,000 too.
  private static let maximumRounds = 1_000

  func callWillSave() throws {
    let tracked = context.tracker.tracked
    // Usually all objects are pending.
    var round = tracked.containsHeld { !$0.life.isPending } ? tracked.filter { $0.life.isPending } : tracked
    var rounds = 0
    while !round.isEmpty {
      guard rounds < Self.maximumRounds else {
        throw CocoaError.coreData(
          .save, "willSave keeps changing objects after \(rounds) rounds: \(round.prefix(3).map(\.objectID)).")
      }
      round.forEachHeld { $0.willSave() }
      // Objects that the delete rules change have their turn too.
      context.propagateDeletes()
      let changed = context.tracker.event
      // A fault that was changed is pending only after this, and has its turn in the next round.
      try settle()
      round = changed.isEmpty ? [] : changed.filter { $0.life.isPending }
      rounds += 1
    }
  }
}
