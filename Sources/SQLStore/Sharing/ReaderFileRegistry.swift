import Foundation
import StrataRowStore

/// The registry of history readers in the file `<store>-readers`.
///
/// A reader locks its record while it lives; the kernel releases the lock when the process ends, however it does. An
/// anonymous reader is gone with its lock. A named one delays purges for a week after it last moved, and is remembered
/// until its record is needed: a clock that jumped ahead must not have everything followed once more.
struct ReaderFileRegistry: HistoryReaderRegistry {
  let storePath: String
  /// The store's UUID: a replaced store has another one, and other transaction numbers.
  let store: UUID

  var path: String { storePath + "-readers" }

  init(ofStore storePath: String, identifier: String) {
    self.storePath = storePath
    store = UUID(uuidString: identifier) ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }

  /// The number of seconds that a named reader delays purges while no process runs it.
  static let retention = 7 * 24 * 3600.0
  /// From this many records on, a named reader that no longer delays purges gives its record to a new one.
  static let manyRecords = 64

  /// The oldest position of any reader; nil if there is no reader.
  /// - Parameter withInactive: whether named readers count that no process runs at the moment.
  func floor(withInactive: Bool) throws -> Int64? {
    guard let file = try openedForReading() else { return nil }
    defer { file.close() }
    return try floor(in: file, withInactive: withInactive)
  }

  /// Runs `body` with the oldest position while no reader can register: the position of a reader that registers between
  /// this check and the purge could be purged. The holder of the writer lock may wait for a registering reader, never
  /// the other way around (invariant 7).
  func holdingOffNewReaders<T>(withInactive: Bool, _ body: (_ floor: Int64?) throws -> T) throws -> T {
    // Created if missing, because the very first reader has to wait too.
    let file = try openedForReading() ?? openedForWriting()
    defer { file.close() }
    try file.lockTable(forReading: true)
    return try body(floor(in: file, withInactive: withInactive))
  }

  /// nil if the file does not exist. Closing a file that was open for writing would wake every process that watches the
  /// folder.
  private func openedForReading() throws -> ReaderFile? { try ReaderFile(path, .reading) }

  private func openedForWriting() throws -> ReaderFile {
    guard let file = try ReaderFile(path, .writing(besideStore: storePath)) else {
      throw StoreError(.io, "Cannot open '\(path)'.")
    }
    return file
  }

  private func floor(in file: ReaderFile, withInactive: Bool) throws -> Int64? {
    let now = Date().timeIntervalSinceReferenceDate
    var floor: Int64?
    for (slot, record) in try file.records().enumerated() where record.kind != .free && record.store == store {
      let isInactive = withInactive && record.kind == .named && now - record.moved < Self.retention
      if try isInactive || file.isLocked(slot) { floor = min(floor ?? .max, record.position.number) }
    }
    return floor
  }

  /// - Throws: `StoreError` if the file cannot be made.
  func register(at position: () throws -> HistoryPosition) throws -> any HistoryReader {
    try withTable { file in
      let slot = try freeSlot(in: file, file.records())
      return try FileReader(file, slot, ReaderRecord(kind: .anonymous, store: store, position: position()), isNew: true)
    }
  }

  /// - Throws: `.unsupported` for a name that is empty or longer than 80 bytes.
  func register(name: String, at position: () throws -> HistoryPosition) throws -> any HistoryReader {
    guard !name.isEmpty, name.utf8.count <= ReaderRecord.maximumNameLength else {
      throw StoreError(
        .unsupported,
        "The name of a history reader must have 1 to \(ReaderRecord.maximumNameLength) bytes, but is '\(name)'.")
    }
    return try withTable { file in
      let records = try file.records()
      if let slot = records.firstIndex(where: { $0.kind == .named && $0.store == store && $0.name == name }) {
        guard try file.lock(slot) else {
          throw StoreError(
            .busy,
            "Another process or follower already follows the history of '\(storePath)' under the name '\(name)'. End it, "
              + "or choose another name: each of the two would miss what the other one reads.")
        }
        return try FileReader(file, slot, records[slot], isNew: false)
      }
      var record = try ReaderRecord(kind: .named, store: store, position: position())
      record.name = name
      return try FileReader(file, freeSlot(in: file, records), record, isNew: true)
    }
  }

  func forget(name: String) throws {
    let file = try withTable { file in
      for (slot, record) in try file.records().enumerated() where record.kind == .named && record.name == name {
        if try file.lock(slot) { try file.write(ReaderRecord(), to: slot) }
      }
      return file
    }
    file.close()
  }

  /// Records are taken by one process at a time, and not during a purge.
  private func withTable<T>(_ body: (ReaderFile) throws -> T) throws -> T {
    let file = try openedForWriting()
    do {
      try file.lockTable(forReading: false)
      let result = try body(file)
      file.unlockTable()
      return result
    } catch {
      file.close()
      throw error
    }
  }

  /// Finds a free record and locks it.
  private func freeSlot(in file: ReaderFile, _ records: [ReaderRecord]) throws -> Int {
    let now = Date().timeIntervalSinceReferenceDate
    for (slot, record) in records.enumerated() {
      let isRemembered =
        record.kind == .named && record.store == store
        && (records.count < Self.manyRecords || now - record.moved < Self.retention)
      if !isRemembered, try file.lock(slot) { return slot }
    }
    guard try file.lock(records.count) else { throw StoreError(.busy, "'\(path)' has a lock beyond its end.") }
    return records.count
  }
}

/// A live reader and its record.
private final class FileReader: HistoryReader, @unchecked Sendable {
  // Sendable: a reader writes only its own record, from one thread at a time.

  private let file: ReaderFile
  private let slot: Int
  private var record: ReaderRecord

  init(_ file: ReaderFile, _ slot: Int, _ record: ReaderRecord, isNew: Bool) throws {
    (self.file, self.slot, self.record) = (file, slot, record)
    if isNew { try move(to: position) }
  }

  var position: HistoryPosition { record.position }

  /// The record is not synced to disk: after a power failure the previous position may be back.
  func move(to position: HistoryPosition) throws {
    record.position = position
    record.moved = Date().timeIntervalSinceReferenceDate
    try file.write(record, to: slot)
  }

  func end() {
    if record.kind == .anonymous { try? file.write(ReaderRecord(), to: slot) }
    file.close()
  }
}
