import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataSQLiteEngine
import StrataTestSupport
import Synchronization
import Testing

/// A store deletes, reads and writes only its own external data files, even if other files replace them.
@Suite struct SupportFolderTests {
  private let folder: TemporaryFolder
  private let manager = FileManager.default

  init() throws { folder = try TemporaryFolder() }

  private static func photo(_ byte: UInt8) -> SlotValue { .data(Array(repeating: byte, count: 200_000)) }
  private var support: URL { folder.url(".Test_SUPPORT") }
  private var data: URL { support.appendingPathComponent("_EXTERNAL_DATA") }
  private var marker: URL { support.appendingPathComponent("unfinished") }

  /// A model without external data.
  private static func plainModel() -> NSManagedObjectModel {
    QuakeStore.model { quake, _ in
      quake.properties.removeAll { $0.name == "photo" }
    }
  }

  /// A foreign folder with two files, one of which has the name of a data file.
  private func documents() throws -> (url: URL, names: [String]) {
    let documents = folder.url("Documents")
    try manager.createDirectory(at: documents, withIntermediateDirectories: true)
    for name in ["letter.txt", UUID().uuidString] {
      try Data([1]).write(to: documents.appendingPathComponent(name))
    }
    return (documents, try names(documents))
  }

  private func names(_ folder: URL) throws -> [String] { try manager.contentsOfDirectory(atPath: folder.path).sorted() }

  /// Whether `.Test_SUPPORT` or `_EXTERNAL_DATA` is a link.
  enum Link: CaseIterable { case support, data }

  private func link(_ link: Link, to documents: URL, isMarked: Bool = true) throws {
    switch link {
    case .support:
      let target = documents.deletingLastPathComponent().appendingPathComponent("Elsewhere")
      try manager.createDirectory(at: target, withIntermediateDirectories: true)
      try manager.moveItem(at: documents, to: target.appendingPathComponent("_EXTERNAL_DATA"))
      try manager.createSymbolicLink(at: documents, withDestinationURL: target.appendingPathComponent("_EXTERNAL_DATA"))
      try manager.createSymbolicLink(at: support, withDestinationURL: target)
    case .data:
      try manager.createDirectory(at: support, withIntermediateDirectories: true)
      try manager.createSymbolicLink(at: data, withDestinationURL: documents)
    }
    if isMarked { try Data().write(to: marker) }
  }

  @Test(arguments: Link.allCases, [true, false])
  func `opening a store deletes nothing behind a linked folder`(_ link: Link, usesExternalData: Bool) throws {
    let (documents, names) = try documents()
    let model = usesExternalData ? QuakeStore.model() : Self.plainModel()
    try SQLStore(opening: folder.url(), model: model, number: 1, options: .test).close()
    try self.link(link, to: documents)
    let store = try SQLStore(opening: folder.url(), model: model, number: 1, options: .test)
    let layout = try #require(model.entitiesByName["Quake"]?.layout)
    #expect(try store.count(for: FetchQuery(layout: layout)) == 0)
    store.close()
    #expect(try self.names(documents) == names)
  }

  @Test(arguments: Link.allCases) func `a save writes nothing behind a linked folder`(_ link: Link) throws {
    let (documents, names) = try documents()
    let quakes = try QuakeStore(in: folder)
    try self.link(link, to: documents, isMarked: false)
    let error = #expect(throws: StoreError.self) {
      try quakes.insert([quakes.row("Quake", ["photo": Self.photo(1)])])
    }
    #expect(error?.code == .permission)
    #expect(error?.message.contains("is a symbolic link, not a folder") == true, "\(error?.message ?? "")")
    #expect(try self.names(documents) == names)
    try quakes.insert([quakes.row("Quake", ["name": .string("small")])])
    #expect(try quakes.count("Quake") == 1)
  }

  @Test(arguments: Link.allCases) func `a row reads and deletes nothing behind a linked folder`(_ link: Link) throws {
    let quakes = try QuakeStore(in: folder)
    let id = try quakes.insert([quakes.row("Quake", ["photo": Self.photo(1)])]).inserted[0]
    let elsewhere = folder.url("Moved")
    try manager.moveItem(at: link == .support ? support : data, to: elsewhere)
    try manager.createSymbolicLink(at: link == .support ? support : data, withDestinationURL: elsewhere)
    let target = link == .support ? elsewhere.appendingPathComponent("_EXTERNAL_DATA") : elsewhere
    let names = try names(target)
    #expect(try quakes.value(id, "photo") == .null)
    var batch = ChangeBatch()
    batch.deleted = [RowDeletion(id: id, version: nil)]
    _ = try quakes.store.commit(batch)
    #expect(try self.names(target) == names && names.count == 1)
  }

  @Test(arguments: Link.allCases) func `destroying a store deletes nothing behind a linked folder`(_ link: Link) throws
  {
    let (documents, names) = try documents()
    try QuakeStore(in: folder).store.close()
    try self.link(link, to: documents)
    try SQLStore.destroy(at: folder.url())
    #expect(try self.names(documents) == names)
  }

  @Test(arguments: Link.allCases) func `a copy reads and writes nothing behind a linked folder`(_ link: Link) throws {
    let (documents, names) = try documents()
    try QuakeStore(in: folder).store.close()
    try self.link(link, to: documents)
    let source = try QuakeStore(in: folder, "Source.sqlite")
    try source.insert([source.row("Quake", ["photo": Self.photo(1)])])
    #expect(throws: StoreError.self) { try SQLStore.replace(at: folder.url(), with: folder.url("Source.sqlite")) }
    #expect(throws: StoreError.self) { try SQLStore.replace(at: folder.url("New.sqlite"), with: folder.url()) }
    #expect(try self.names(documents) == names)
    #expect(!manager.fileExists(atPath: folder.url(".New_SUPPORT").path))
  }

  @Test func `a migration deletes nothing behind a linked folder`() throws {
    let (documents, names) = try documents()
    try QuakeStore(in: folder).store.close()
    try link(.data, to: documents, isMarked: false)
    var options = SQLStoreOptions.test
    options.migration = SQLStoreOptions.Migration()
    try SQLStore(opening: folder.url(), model: Self.plainModel(), number: 1, options: options).close()
    #expect(try self.names(documents) == names)
  }

  @Test func `the marker is not written through a link`() throws {
    let letter = folder.url("letter.txt")
    try Data([1, 2, 3]).write(to: letter)
    let quakes = try QuakeStore(in: folder)
    try manager.createDirectory(at: support, withIntermediateDirectories: true)
    try manager.createSymbolicLink(at: marker, withDestinationURL: letter)
    let error = #expect(throws: StoreError.self) {
      try quakes.insert([quakes.row("Quake", ["photo": Self.photo(1)])])
    }
    #expect(
      error?.message.contains("unfinished': it is a symbolic link, not a file") == true, "\(error?.message ?? "")")
    #expect(try Data(contentsOf: letter) == Data([1, 2, 3]))
    #expect(try names(data) == [])
  }

  @Test func `tidying deletes only unreferenced files with names of data files`() throws {
    let quakes = try QuakeStore(in: folder)
    let id = try quakes.insert([quakes.row("Quake", ["photo": Self.photo(1)])]).inserted[0]
    quakes.store.close()
    let own = try names(data)
    let (orphan, inner, pipe, link) = (UUID(), UUID(), UUID(), UUID())
    let foreign = [
      "letter.txt", UUID().uuidString.lowercased(), "x\(UUID().uuidString)", inner.uuidString, pipe.uuidString,
    ]
    for name in foreign.prefix(3) + [orphan.uuidString] { try Data([1]).write(to: data.appendingPathComponent(name)) }
    try manager.createDirectory(at: data.appendingPathComponent(inner.uuidString), withIntermediateDirectories: false)
    try #require(mkfifo(data.appendingPathComponent(pipe.uuidString).path, 0o600) == 0)
    try manager.createSymbolicLink(
      at: data.appendingPathComponent(link.uuidString), withDestinationURL: folder.url("nowhere"))
    try Data().write(to: marker)
    let again = try QuakeStore(in: folder)
    #expect(try names(data) == (own + foreign + [link.uuidString]).sorted())
    #expect(!manager.fileExists(atPath: marker.path))
    #expect(try again.value(id, "photo") == Self.photo(1))
    again.store.close()
    try SQLStore.destroy(at: folder.url())
    #expect(try names(data) == (foreign + [link.uuidString]).sorted())
  }

  @Test func `a model without external data deletes no files`() throws {
    let store = { [folder] in
      try SQLStore(opening: folder.url(), model: Self.plainModel(), number: 1, options: .test)
    }
    try store().close()
    try manager.createDirectory(at: data, withIntermediateDirectories: true)
    let name = UUID().uuidString
    try Data([1]).write(to: data.appendingPathComponent(name))
    try Data().write(to: marker)
    try store().close()
    #expect(try names(data) == [name])
  }

  @Test func `folders of another user are neither read nor written nor emptied`() throws {
    guard geteuid() == 0 else { return }
    let quakes = try QuakeStore(in: folder)
    let id = try quakes.insert([quakes.row("Quake", ["photo": Self.photo(1)])]).inserted[0]
    try Data([1]).write(to: data.appendingPathComponent(UUID().uuidString))
    try Data().write(to: marker)
    let names = try names(data)
    try #require(chown(data.path, 65_534, 65_534) == 0)
    #expect(try quakes.value(id, "photo") == .null)
    let error = #expect(throws: StoreError.self) {
      try quakes.insert([quakes.row("Quake", ["photo": Self.photo(1)])])
    }
    #expect(error?.code == .permission)
    #expect(error?.message.contains("belongs to user 65534") == true, "\(error?.message ?? "")")
    quakes.store.close()
    try QuakeStore(in: folder).store.close()
    #expect(try self.names(data) == names)
    // A user who may write the store may own the folder of its data.
    try #require(chown(folder.url().path, 0, 65_534) == 0 && chmod(folder.url().path, 0o660) == 0)
    let shared = try QuakeStore(in: folder)
    #expect(try shared.value(id, "photo") == Self.photo(1))
    #expect(try self.names(data).count == 1)
  }

  @Test func `stores whose names differ in their ending leave each other's files`() throws {
    let first = try QuakeStore(in: folder)
    let id = try first.insert([first.row("Quake", ["photo": Self.photo(1)])]).inserted[0]
    let second = try QuakeStore(in: folder, "Test.db")
    let other = try second.insert([second.row("Quake", ["photo": Self.photo(2)])]).inserted[0]
    second.store.close()
    try Data().write(to: marker)
    let again = try QuakeStore(in: folder, "Test.db")
    #expect(try again.value(other, "photo") == Self.photo(2))
    #expect(try first.value(id, "photo") == Self.photo(1))
    again.store.close()
    try SQLStore.destroy(at: folder.url("Test.db"))
    #expect(try first.value(id, "photo") == Self.photo(1))
    #expect(try names(data).count == 1)
    let error = #expect(throws: StoreError.self) {
      try SQLStore.replace(at: folder.url("Test.old"), with: folder.url())
    }
    #expect(error?.message.contains("differs in more than its ending") == true, "\(error?.message ?? "")")
    #expect(try names(data).count == 1)
  }

  @Test func `a transaction that only drops references is marked until its files are gone`() throws {
    let quakes = try QuakeStore(in: folder)
    let id = try quakes.insert([quakes.row("Quake", ["photo": Self.photo(1)])]).inserted[0]
    let watch = MarkerWatch(marker: marker.path)
    quakes.store.observer = watch
    var batch = ChangeBatch()
    batch.deleted = [RowDeletion(id: id, version: nil)]
    _ = try quakes.store.commit(batch)
    let wasMarked = watch.wasMarked.load(ordering: .relaxed)
    #expect(wasMarked)
    #expect(try names(data) == [] && !manager.fileExists(atPath: marker.path))
  }
}

/// Checks for the marker while a transaction is open.
private final class MarkerWatch: TransactionObserver {
  let wasMarked = Atomic(false)
  private let marker: String

  init(marker: String) { self.marker = marker }

  func willCommit(transaction: Int64) {
    wasMarked.store(FileManager.default.fileExists(atPath: marker), ordering: .relaxed)
  }

  func didNotCommit(transaction: Int64) {}
}
