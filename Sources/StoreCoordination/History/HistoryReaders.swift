import Foundation
import StrataRowStore

/// Where everybody who reads the history of a store has come to, so that a purge leaves what is still needed
/// (invariant 5): the file `<store>-readers`, a record of 128 bytes for each reader.
///
/// A reader keeps a lock on the first byte of its record while it lives; the kernel gives the lock back when its process
/// ends, however it does. A reader without a name is gone with its lock. One with a name is remembered for a week after
/// it last went on, so that it finds its place again.
struct HistoryReaders {
  /// The store's file.
  let storePath: String
  /// The store's UUID: a store that was replaced has another, and numbers of its own.
  let store: UUID

  var path: String { storePath + "-readers" }

  init(ofStore storePath: String, identifier: String) {
    self.storePath = storePath
    store = UUID(uuidString: identifier) ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }

  /// Seconds for which a named reader that nobody runs is remembered.
  static let retention = 7 * 24 * 3600.0

  /// The oldest place that a reader has come to; nil if there is no reader.
  /// - Parameter withSleepers: whether readers with a name that nobody runs at the moment count.
  func floor(withSleepers: Bool) throws -> Int64? {
    guard let file = try openedForReading() else { return nil }
    defer { file.close() }
    return try floor(in: file, withSleepers: withSleepers)
  }

  /// The oldest place, while nobody begins to read: who did between the question and the purge would find its place gone.
  /// Whoever holds the writer lock may wait for a reader that begins, and never the other way round (invariant 7).
  func holdingOffNewReaders<T>(withSleepers: Bool, _ body: (_ floor: Int64?) throws -> T) throws -> T {
    // Made if it is not there, as the first reader of all has to wait too.
    let file = try openedForReading() ?? openedForWriting()
    defer { file.close() }
    try file.lockTable(forReading: true)
    return try body(floor(in: file, withSleepers: withSleepers))
  }

  /// nil if the file is not there. Closing what was open for writing would wake everybody who watches the folder.
  private func openedForReading() throws -> ReaderFile? { try ReaderFile(path, .reading) }

  private func openedForWriting() throws -> ReaderFile {
    guard let file = try ReaderFile(path, .writing(besideStore: storePath)) else {
      throw StoreError(.io, "Cannot open '\(path)'.")
    }
    return file
  }

  private func floor(in file: ReaderFile, withSleepers: Bool) throws -> Int64? {
    let now = Date().timeIntervalSinceReferenceDate
    var floor: Int64?
    for (slot, record) in try file.records().enumerated() where record.kind != .free && record.store == store {
      let isSleeper = withSleepers && record.kind == .named && now - record.moved < Self.retention
      if try isSleeper || file.isLocked(slot) { floor = min(floor ?? .max, record.place) }
    }
    return floor
  }

  /// Takes a record, with the place of the reader, which is asked for while no purge goes on.
  /// - Throws: `StoreError` if the file cannot be made.
  func register(at place: () throws -> Int64) throws -> HistoryReader {
    try withTable { file in
      let slot = try freeSlot(in: file, file.records())
      return try HistoryReader(file, slot, ReaderRecord(kind: .anonymous, store: store, place: place()), isNew: true)
    }
  }

  /// Takes the record of a name: the one that is there, with its place, or a new one at `place`.
  /// - Throws: `StoreError` if another process has it, `.unsupported` for a name that is empty or longer than 80 bytes.
  func register(name: String, at place: () throws -> ReaderRecord.Place) throws -> HistoryReader {
    guard !name.isEmpty, name.utf8.count <= ReaderRecord.longestName else {
      throw StoreError(
        .unsupported,
        "A reader of history may have a name of 1 to \(ReaderRecord.longestName) bytes; '\(name)' is none.")
    }
    return try withTable { file in
      let records = try file.records()
      if let slot = records.firstIndex(where: { $0.kind == .named && $0.store == store && $0.name == name }) {
        guard try file.lock(slot) else {
          throw StoreError(
            .busy,
            "The history of '\(storePath)' is followed under the name '\(name)' by another process or follower. End it, "
              + "or choose another name: what one of them has seen, the other would miss.")
        }
        return try HistoryReader(file, slot, records[slot], isNew: false)
      }
      let place = try place()
      var record = ReaderRecord(kind: .named, store: store, place: place.number)
      (record.name, record.time) = (name, place.time ?? 0)
      return try HistoryReader(file, freeSlot(in: file, records), record, isNew: true)
    }
  }

  /// Forgets a name that nobody runs at the moment.
  func forget(name: String) throws {
    let file = try withTable { file in
      for (slot, record) in try file.records().enumerated() where record.kind == .named && record.name == name {
        if try file.lock(slot) { try file.write(ReaderRecord(), to: slot) }
      }
      return file
    }
    file.close()
  }

  /// One process at a time gives out records, and none while one purges.
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

  /// A record that nobody has, locked.
  private func freeSlot(in file: ReaderFile, _ records: [ReaderRecord]) throws -> Int {
    let now = Date().timeIntervalSinceReferenceDate
    for (slot, record) in records.enumerated() {
      let isRemembered = record.kind == .named && record.store == store && now - record.moved < Self.retention
      if !isRemembered, try file.lock(slot) { return slot }
    }
    guard try file.lock(records.count) else { throw StoreError(.busy, "'\(path)' has a lock beyond its end.") }
    return records.count
  }
}

/// A reader that lives, and its record.
final class HistoryReader: @unchecked Sendable {
  // Sendable: one reader writes its own record, in one thread at a time.

  private let file: ReaderFile
  private let slot: Int
  private(set) var record: ReaderRecord

  fileprivate init(_ file: ReaderFile, _ slot: Int, _ record: ReaderRecord, isNew: Bool) throws {
    (self.file, self.slot, self.record) = (file, slot, record)
    if isNew { try move(to: ReaderRecord.Place(number: record.place, time: record.time == 0 ? nil : record.time)) }
  }

  var place: ReaderRecord.Place {
    ReaderRecord.Place(number: record.place, time: record.time == 0 ? nil : record.time)
  }

  /// Remembers a place: at once for every process, whatever becomes of this one. It is not forced to the disk: after a
  /// power failure the place before can be there.
  func move(to place: ReaderRecord.Place) throws {
    record.place = place.number
    record.time = place.time ?? 0
    record.moved = Date().timeIntervalSinceReferenceDate
    try file.write(record, to: slot)
  }

  /// Ends the reader; a name stays remembered.
  func end() {
    if record.kind == .anonymous { try? file.write(ReaderRecord(), to: slot) }
    file.close()
  }
}
