import StrataRowStore

/// Packs the rows of a table out of its pages, as SQLite reads them.
///
/// Which pages a table has at a moment, in the file or in the log, and in which order, is SQLite's to say. What lies in a
/// page is said by its file format: to take it from there needs less than half of the instructions that SQLite needs
/// to hand over one value after another. See https://sqlite.org/fileformat2.html#b_tree_pages
final class TableScan {
  private let form: RecordFormat
  private let packer: RowPageBuilder
  /// The column of the result that each column of a record is; what nobody asked for goes behind the last one.
  private let places: UnsafeMutableBufferPointer<Int>
  /// The values of one row, by the result's columns.
  private let fields: UnsafeMutableBufferPointer<StoredField>
  /// The keys of rows that SQLite has to read: those that go on in other pages, and values of other kinds than the columns
  /// were made for.
  private(set) var fallbackRowIDs: [Int64] = []
  private var lastKey: Int64 = 0
  /// Why a row was not packed, if one was not.
  private(set) var failure: (any Error)?
  /// Whether a page was damaged, or too many rows are odd.
  private(set) var isGivenUp = false

  /// So many odd rows are looked up one by one; with more of them than packed ones SQLite reads the table.
  private static let mostOdd = 64

  /// - Returns: nil if the table lacks a column.
  init?(_ names: [String], form: RecordFormat, packer: RowPageBuilder) {
    self.form = form
    self.packer = packer
    guard names.allSatisfy(form.names.contains) else { return nil }
    places = .allocate(capacity: form.names.count)
    fields = .allocate(capacity: names.count + 1)
    _ = places.initialize(from: form.names.map { names.firstIndex(of: $0) ?? names.count })
  }

  deinit {
    places.deallocate()
    fields.deallocate()
  }

  /// Whether all rows of a table with so many were seen.
  func hasSeen(_ count: Int) -> Bool { !isGivenUp && packer.count + fallbackRowIDs.count == count }

  /// Takes the rows of a page, if it is a leaf of a table.
  func take(_ page: UnsafeRawBufferPointer) {
    guard !isGivenUp, failure == nil, page.count == form.pageSize, page[0] == 13 else { return }
    let cells = Int(page.loadUnaligned(fromByteOffset: 3, as: UInt16.self).bigEndian)
    let (first, usableSize) = (8 + cells * 2, form.usableSize)
    guard first <= usableSize else { return giveUp() }
    for cell in 0..<cells {
      let start = Int(page.loadUnaligned(fromByteOffset: 8 + cell * 2, as: UInt16.self).bigEndian)
      guard start >= first, start < usableSize, take(page, at: start, usableSize) else { return giveUp() }
    }
  }

  private func giveUp() { isGivenUp = true }

  /// Takes a row; false if its page is damaged.
  private func take(_ page: UnsafeRawBufferPointer, at start: Int, _ usableSize: Int) -> Bool {
    // It has bytes.
    var cursor = VarintReader(page.baseAddress.unsafelyUnwrapped, from: start, to: usableSize)
    let size = cursor.varint()
    let key = Int64(bitPattern: cursor.varint())
    guard key > lastKey || packer.count + fallbackRowIDs.count == 0 else { return false }
    lastKey = key
    // A longer record goes on in other pages.
    guard size <= UInt64(usableSize - 35) else { return leave(key) }
    guard let end = cursor.end(after: Int(size)), read(&cursor, to: end) else { return false }
    do {
      // The key has its place in the cell, and none in the record.
      return try fields[0].isNull && packer.pack(key, fields.baseAddress.unsafelyUnwrapped) || leave(key)
    } catch {
      failure = error
      return true
    }
  }

  /// Leaves a row to SQLite; false if it has to read too many.
  private func leave(_ key: Int64) -> Bool {
    fallbackRowIDs.append(key)
    if fallbackRowIDs.count > Self.mostOdd + packer.count { form.isPlain = false }
    return form.isPlain
  }

  /// Finds the values of a record; false if it is damaged.
  private func read(_ cursor: inout VarintReader, to end: Int) -> Bool {
    let begin = cursor.offset
    let size = cursor.varint()
    guard size <= UInt64(end - begin) else { return false }
    let (page, headEnd) = (cursor.page, begin + Int(size))
    var (head, body) = (cursor.offset, headEnd)
    // There is at least the key.
    var place = UnsafePointer(places.baseAddress.unsafelyUnwrapped)
    let last = place + places.count
    let fields = fields.baseAddress.unsafelyUnwrapped
    while place != last {
      // A column that was added later is NULL in older records.
      var type = 0
      if head < headEnd {
        type = Int(page.load(fromByteOffset: head, as: UInt8.self))
        head &+= 1
        if type >= 0x80 {
          var long = VarintReader(page, from: head &- 1, to: headEnd)
          type = Int(truncatingIfNeeded: long.varint())
          head = long.offset
        }
      }
      guard let size = StoredField.size(of: type), size <= end &- body else { return false }
      fields[place.pointee] = StoredField(type: type, start: page + body)
      body &+= size
      place += 1
    }
    // A record whose values are all known ends with the last one.
    return head < headEnd || head == headEnd && body == end
  }
}
