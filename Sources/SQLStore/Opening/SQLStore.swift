import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import Synchronization

/// A store in a file of Apple's layout. Any thread may ask, and any number of processes may have the file open.
///
/// Readers have connections of their own and never wait for a writer (invariant 7). Writers queue for the writer lock, over
/// threads and processes. Who commits tells nobody: signals are sent by whoever called, once the call has returned.
package final class SQLStore: BackEnd {
  package let number: Int
  package let identifier: String
  package let url: URL
  package let options: SQLStoreOptions
  /// Whether commits are written to the history.
  package let keepsHistory: Bool
  package let schema: StoreSchema
  /// The store's file: of one at `/dev/null`, where it really is.
  package let path: String
  private let place: Mutex<MemoryPlace?>
  let selects: SelectWriter
  let history: HistoryWriter
  let readers: ReaderPool
  /// nil of a store that is read only.
  let writer: Writer?
  /// The files that were opened; nil of one that is read without locks, where a log may come and go.
  let files: StoreFiles?
  let lastKeys = LastKeys()
  private let watching = Mutex<(any TransactionObserver)?>(nil)
  /// The entities of which the history has bits of another version of the model; nil until that is asked.
  let oldBits = Mutex<Set<Int>?>(nil)
  /// The moments that are kept, so that closing the store ends them.
  let moments = Mutex<[WeakMoment]>([])

  /// Whether nothing can be written: it was asked for, or the store has a history that was not.
  package var isReadOnly: Bool { writer == nil }

  /// Hears the numbers of this store's own transactions before anybody else can see them.
  package var observer: (any TransactionObserver)? {
    get { watching.withLock { $0 } }
    set { watching.withLock { $0 = newValue } }
  }

  /// Opens a store; a missing one is made, unless it is to be read only; one at `/dev/null` lasts until it is closed. When several processes make the same store
  /// at the same time, one does and the others wait.
  /// - Parameters:
  ///   - model: frozen if it was not.
  ///   - configuration: whose entities the store holds; nil is all of them.
  ///   - number: the store's number in its coordinator, 1…255, for the ids of its rows.
  /// - Throws: StoreError that says which condition did not hold; `.incompatibleModel` with the entities that differ.
  package init(
    opening url: URL, model: NSManagedObjectModel, configuration: String? = nil, number: Int,
    options: SQLStoreOptions = SQLStoreOptions()
  ) throws {
    model.freeze()
    let place = try MemoryPlace.opening(url)
    let path = place?.path ?? url.standardizedFileURL.path
    try FileSystem.refuseNetwork(path)
    let opening = StoreOpening(path: path, model: model, configuration: configuration, options: options)
    let opened = try options.isReadOnly ? opening.openReadOnly() : opening.openForWriting()
    self.number = number
    self.url = url
    self.options = options
    self.path = path
    self.place = Mutex(place)
    identifier = opened.identifier
    keepsHistory = opened.keepsHistory
    schema = opened.schema
    selects = SelectWriter(schema: opened.schema, store: number)
    history = HistoryWriter(schema: opened.schema)
    let watch = ModelWatch(path: path, version: opened.schemaVersion) { opening.fits($0) || options.ignoresVersions }
    readers = ReaderPool(
      path: path, watch: watch, first: opened.reader, mostAtRest: options.mostReadersAtRest
    ) { try opening.openReader() }
    let files = opened.isImmutable ? nil : StoreFiles(at: path)
    self.files = files
    writer = opened.writer.flatMap { connection in
      opened.writerLock.map {
        Writer(
          connection: connection, writerLock: $0, opening: opening, schema: opened.schema, watch: watch, files: files)
      }
    }
  }

  package func close() {
    endMoments()
    readers.close()
    writer?.close()
    place.withLock { $0 = nil }
  }

  deinit { close() }
}
