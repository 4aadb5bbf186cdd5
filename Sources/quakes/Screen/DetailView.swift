import CoreData
import Foundation
import StrataQuakes
import StrataQuakesScreen

/// Everything about the selected earthquake.
@MainActor
final class DetailView: ScreenView {
  let kind = ScreenKind.detail
  private let store: LiveStore
  private let id: NSManagedObjectID
  private let identifier: String
  let showsHistory: Bool
  var state: ScreenState.OpenView? { .detail(identifier, showsHistory: showsHistory) }
  private var scroll = Scroll()

  init(_ quake: Quake, in store: LiveStore, showsHistory: Bool) {
    (self.store, self.showsHistory) = (store, showsHistory)
    (id, identifier) = (quake.objectID, quake.identifier ?? "?")
  }

  /// nil if it is no longer in the store.
  var quake: Quake? { (try? store.context.existingObject(with: id)) as? Quake }

  func lines(_ size: ScreenSize, _ look: ScreenLook) throws -> [OutputText] {
    guard let quake else {
      return [look.bold(DisplayWidth.fitted("\(identifier) is no longer in the store", to: size.columns))]
    }
    let terminal = look.terminal(columns: size.columns)
    var lines = try store.details(of: quake, at: look.now).lines(terminal)
    if showsHistory {
      let changes = QuakeChange.changes(in: quake.history)
      var table = ChangeTable(terminal: terminal, style: look.style, showsID: false)
      table.isWrapped = true
      lines += [""] + table.lines(changes)
    }
    return scroll.shown(lines, rows: size.rows, look)
  }

  func perform(_ command: ScreenCommand) -> Bool { scroll.perform(command) }
}
