import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataSharing
import StrataSupport
import Synchronization

/// A store in a SQLite file with Apple's layout. Any thread may use it, and any number of processes may have the file
/// open.
///
/// Readers have their own connections and never wait for a writer (invariant 7). Writers of all threads and processes
/// queue for the writer lock. A commit does not notify other processes: the caller posts the signal once the call has
/// returned (invariant 2).
package final class SQLStore: BackEnd {
  package let number: Int
  package let identifier: String
  package let url: URL
  package let options: SQLStoreOptions
  /// Whether commits are written to the history.
  package let keepsHistory: Bool
  package let schema: StoreSchema
  /// The path of the file, with symbolic links resolved; for a store at `/dev/null`, where it really is.
  package let path: String
  private let memoryLocation: Mutex<MemoryLocation?>
  let selects: SelectWriter
  let history: HistoryWriter
  let readers: ReaderPool
  /// nil if the store is read-only.
  let writer: Writer?
  /// The files as they were opened.
  let files: StoreFiles
  let location: Mutex<FileLocation>
  let lastKeys = LastKeys()
  package let signal: any CommitSignal
  private let watching = Mutex<(any TransactionObserver)?>(nil)
  private let migration = MigrationNotice()
  /// The number of commits when it was last asked for.
  let lastCount = Mutex<CommitCount?>(nil)
  /// The entities whose history holds change bits from another version of the model; nil until first asked.
  let oldBits = Mutex<Set<Int>?>(nil)
  /// The snapshots in use; closing the store ends them.
  let snapshots = WeakList<StoreSnapshot>()

  package var migrationNotice: MigrationNotice? { migration }

  package var isReadOnly: Bool { writer == nil }

  /// Whether the store sizes its page cache, since the program does not.
  var hasOwnCacheSize: Bool { options.pragmas["cache_size"] == nil }

  package var readOnlyReason: ReadOnlyReason? {
    isReadOnly ? (options.isReadOnly ? .requested : .historyNotTracked) : nil
  }

  package var observer: (any TransactionObserver)? {
    get { watching.withLock { $0 } }
    set { watching.withLock { $0 = newValue } }
  }

  /// Opens a store, and creates it if it does not exist, unless it is to be read-only. A store at `/dev/null` lasts
  /// until it is closed. When several processes create the same store simultaneously, one does and the others wait.
  /// - Parameters:
  ///   - model: frozen if it was not yet.
  ///   - configuration: the configuration whose entities the store holds; nil means all entities.
  ///   - number: the store's number in its coordinator, 1…255, which becomes part of its rows' IDs.
  /// - Throws: a `StoreError` that says which condition failed; `.incompatibleModel` names the entities that differ.
  package init(
    opening url: URL, model: NSManagedObjectModel, configuration: String? = nil, number: Int,
    options: SQLStoreOptions = SQLStoreOptions()
  ) throws {
    model.freeze()
    let memoryLocation = try MemoryLocation.opening(url)
    let path = try memoryLocation?.path ?? url.storePath(isReadOnly: options.isReadOnly)
    try FileSystem.refuseNetwork(path)
    let opening = StoreOpening(path: path, model: model, configuration: configuration, options: options)
    let opened = try options.isReadOnly ? opening.openReadOnly() : opening.openForWriting()
    self.number = number
    self.url = url
    self.options = options
    self.path = path
    self.memoryLocation = Mutex(memoryLocation)
    signal = FileSignal(storePath: path)
    identifier = opened.identifier
    keepsHistory = opened.keepsHistory
    schema = opened.schema
    selects = SelectWriter(schema: opened.schema, store: number)
    history = HistoryWriter(schema: opened.schema)
    let watch = ModelWatch(path: path, version: opened.schemaVersion, notice: migration) {
      opening.fits($0) || options.ignoresVersions
    }
    // Opened with the store, so that the first fetch need not wait for it, and succeeds even if no file can be opened then.
    let reader = try opened.reader ?? opening.openReader()
    let files = try StoreFiles(of: opened.writer ?? reader, hasLog: !opened.mayLackLog)
    self.files = files
    location = Mutex(FileLocation(path, files))
    readers = ReaderPool(
      path: path, files: files, watch: watch, first: reader, maximumIdle: options.maximumIdleReaders,
      hasDataFiles: !opened.schema.externalColumns.isEmpty
    ) { try opening.openReader() }
    writer = opened.writer.flatMap { connection in
      opened.writerLock.map {
        Writer(
          connection: connection, writerLock: $0, opening: opening, schema: opened.schema, watch: watch, files: files)
      }
    }
  }

  package func close() {
    endSnapshots()
    readers.close()
    writer?.close()
    memoryLocation.withLock { $0 = nil }
  }

  deinit { close() }
}
