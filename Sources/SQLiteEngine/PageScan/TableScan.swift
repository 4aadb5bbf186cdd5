import StrataRowStore

/// Packs a table's rows straight from its pages while SQLite reads them.
///
/// SQLite decides which pages the table has in the current snapshot, in the file or in the WAL, and in which order. The
/// cells are decoded from the file format, which takes less than half the instructions SQLite needs to return the
/// values one by one. See https://sqlite.org/fileformat2.html#b_tree_pages
final class TableScan {
  private let format: RecordFormat
  private let builder: RowPageBuilder
  /// The result column of each record column; columns that were not requested map to one index past the last.
  private let resultColumns: UnsafeMutableBufferPointer<Int>
  /// One row's values, by result column.
  private let fields: UnsafeMutableBufferPointer<StoredField>
  /// The keys of the rows that SQLite has to read: those with overflow pages, and those with a value whose storage
  /// class does not match its column.
  private(set) var fallbackRowIDs: [Int64] = []
  private var lastKey: Int64 = 0
  /// The error that packing a row threw.
  private(set) var failure: (any Error)?
  /// Whether a page was damaged or too many rows need SQLite.
  private(set) var hasGivenUp = false

  /// Up to this many rows, or as many as were packed, are looked up one by one; beyond that SQLite reads the whole
  /// table.
  private static let maximumDeferredRows = 64

  /// - Returns: nil if the table lacks a column.
  init?(_ names: [String], format: RecordFormat, builder: RowPageBuilder) {
    self.format = format
    self.builder = builder
    guard names.allSatisfy(format.names.contains) else { return nil }
    resultColumns = .allocate(capacity: format.names.count)
    fields = .allocate(capacity: names.count + 1)
    _ = resultColumns.initialize(from: format.names.map { names.firstIndex(of: $0) ?? names.count })
  }

  deinit {
    resultColumns.deallocate()
    fields.deallocate()
  }

  /// Whether the scan accounted for all `count` rows of the table.
  func hasSeen(_ count: Int) -> Bool { !hasGivenUp && builder.count + fallbackRowIDs.count == count }

  /// Packs the cells of a page if it is a table leaf.
  func packCells(of page: UnsafeRawBufferPointer) {
    guard !hasGivenUp, failure == nil, page.count == format.pageSize, page[0] == 13 else { return }
    let cells = Int(page.loadUnaligned(fromByteOffset: 3, as: UInt16.self).bigEndian)
    let (first, usableSize) = (8 + cells * 2, format.usableSize)
    guard first <= usableSize else { return giveUp() }
    for cell in 0..<cells {
      let start = Int(page.loadUnaligned(fromByteOffset: 8 + cell * 2, as: UInt16.self).bigEndian)
      guard start >= first, start < usableSize, packCell(of: page, at: start, usableSize: usableSize) else {
        return giveUp()
      }
    }
  }

  private func giveUp() { hasGivenUp = true }

  /// Packs one cell; returns false if the page is damaged.
  private func packCell(of page: UnsafeRawBufferPointer, at start: Int, usableSize: Int) -> Bool {
    // A page is never empty.
    var cursor = VarintReader(page.baseAddress.unsafelyUnwrapped, from: start, to: usableSize)
    let size = cursor.varint()
    let key = Int64(bitPattern: cursor.varint())
    guard key > lastKey || builder.count + fallbackRowIDs.count == 0 else { return false }
    lastKey = key
    // A larger record continues on overflow pages.
    guard size <= UInt64(usableSize - 35) else { return deferToSQLite(key) }
    guard let end = cursor.end(after: Int(size)), read(&cursor, to: end) else { return false }
    do {
      // The cell holds the key; the record has NULL in its resultColumn.
      return try fields[0].isNull && builder.pack(key, fields: fields.baseAddress.unsafelyUnwrapped)
        || deferToSQLite(key)
    } catch {
      failure = error
      return true
    }
  }

  /// Leaves a row to SQLite; returns false once there are too many of those.
  private func deferToSQLite(_ key: Int64) -> Bool {
    fallbackRowIDs.append(key)
    if fallbackRowIDs.count > Self.maximumDeferredRows + builder.count { format.isPlain = false }
    return format.isPlain
  }

  /// Locates the values of a record; returns false if it is damaged.
  private func read(_ cursor: inout VarintReader, to end: Int) -> Bool {
    let begin = cursor.offset
    let size = cursor.varint()
    guard size <= UInt64(end - begin) else { return false }
    let (page, headEnd) = (cursor.page, begin + Int(size))
    var (head, body) = (cursor.offset, headEnd)
    // There is at least the key column.
    var resultColumn = UnsafePointer(resultColumns.baseAddress.unsafelyUnwrapped)
    let last = resultColumn + resultColumns.count
    let fields = fields.baseAddress.unsafelyUnwrapped
    while resultColumn != last {
      // Older records lack columns that were added later; those are NULL.
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
      fields[resultColumn.pointee] = StoredField(type: type, start: page + body)
      body &+= size
      resultColumn += 1
    }
    // If the record has no columns beyond the known ones, header and body must end exactly here.
    return head < headEnd || head == headEnd && body == end
  }
}
