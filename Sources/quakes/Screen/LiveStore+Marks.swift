import CoreData
import Foundation
import StrataQuakes

extension LiveStore {
  /// The user's marks for an earthquake.
  ///
  /// - Throws: what `fetch` throws.
  func mark(of quake: Quake) throws -> QuakeMark {
    guard hasPersonal, let identifier = quake.identifier else { return QuakeMark() }
    return try MarkBook(in: context)?.marks(of: [identifier])[identifier] ?? QuakeMark()
  }

  /// The IDs of the earthquakes that have a mark, sorted.
  ///
  /// - Throws: what `fetch` throws.
  func identifiers(where condition: MarkCondition) throws -> [String] {
    hasPersonal ? try marks.identifiers(where: condition) : []
  }

  /// Gives earthquakes their marks, and a table the columns for them.
  ///
  /// - Throws: what `fetch` throws.
  func mark(_ quakes: inout [QuakeFacts], _ table: inout QuakeTable) throws {
    if hasPersonal { try marks.mark(&quakes, &table) }
  }

  /// Changes the user's marks of an earthquake, as `quakes star`, `quakes ack` and `quakes note` do. The screen shows the
  /// change once its context has merged the commit.
  ///
  /// - Throws: `Failure` with status 4; nothing is changed then.
  func mark(_ quake: Quake, _ change: (inout QuakeMark) -> Void) throws {
    guard let identifier = quake.identifier else { return }
    // The store may have been replaced since it was read, and a writer creates it if it does not exist.
    try PersonalWriter(location).mark([identifier], by: "quakes", change)
    openPersonal()
  }
}
