import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataSQLiteEngine
import StrataTestSupport

/// A store of quakes and regions in a separate file for each test.
struct QuakeStore {
  let folder: TemporaryFolder
  let store: SQLStore

  init(_ store: SQLStore, in folder: TemporaryFolder) {
    self.folder = folder
    self.store = store
  }

  init(in folder: TemporaryFolder, _ name: String = "Test.sqlite", number: Int = 1, options: SQLStoreOptions = .test)
    throws
  {
    self.folder = folder
    store = try SQLStore(opening: folder.url(name), model: Self.model(), number: number, options: options)
  }

  /// The model, with changes for another version.
  static func model(_ change: (NSEntityDescription, NSEntityDescription) -> Void = { _, _ in }) -> NSManagedObjectModel
  {
    let quake = makeEntity(
      "Quake",
      [
        attribute("name", preserved: true), attribute("magnitude", .double), attribute("time", .date),
        attribute("photo", .binaryData, external: true),
      ])
    let region = makeEntity("Region", unique: [["name"]], [attribute("name")])
    let model = makeModel(quake, region).relate("Region", "quakes", .many, "Quake", "region", .one)
    change(quake, region)
    return model
  }

  func layout(_ entity: String) -> EntityLayout {
    guard let layout = store.schema.model.layouts.first(where: { $0.name == entity }) else {
      fatalError("The entity '\(entity)' does not exist.")
    }
    return layout
  }

  /// A new row with a temporary ID.
  func row(_ entity: String, _ values: [String: SlotValue] = [:], id: RowID? = nil) -> Row {
    let layout = layout(entity)
    let page = RowPage(layout: layout, capacity: 1)
    let row = Row(page: page, index: page.append(id: id ?? .temporary(entity: layout.number), version: 0))
    for (name, value) in values { if let slot = layout.slot(named: name) { row.set(slot: slot, to: value) } }
    return row
  }

  @discardableResult
  func insert(_ rows: [Row], author: String? = nil) throws -> CommitReceipt {
    var batch = ChangeBatch()
    batch.inserted = rows
    batch.author = author
    return try store.commit(batch)
  }

  /// The update of one property of a fetched row.
  func update(_ row: Row, _ name: String, _ value: SlotValue) -> RowUpdate {
    let copy = row.copy()
    let slot = row.layout.slot(named: name) ?? 0
    copy.set(slot: slot, to: value)
    return RowUpdate(row: copy, slots: [1 << UInt64(slot)])
  }

  func stored(_ id: RowID) throws -> Row? { try store.rows(with: [id]).rows.first }

  func value(_ id: RowID, _ name: String) throws -> SlotValue? {
    try stored(id).flatMap { row in row.layout.slot(named: name).map { row[$0] } }
  }

  func count(_ entity: String) throws -> Int { try store.count(for: FetchQuery(layout: layout(entity))) }

  /// Another program's connection to the file.
  func shell() throws -> Connection { try Connection(path: store.url.path, mode: .readWrite, busyTimeout: 5) }
}

extension SQLStoreOptions {
  static var test: SQLStoreOptions {
    var options = SQLStoreOptions()
    options.timeout = 120
    return options
  }
}
