import StrataRowStore

/// Packs a table's rows straight from its pages while SQLite reads them.
///
/// SQLite decides which pages the table has in the current snapshot, in the file or in the WAL, and in which order. The
/// cells are decoded from the file format, which takes less than half the instructions SQLite needs to return the
/// values one by one. See https://sqlite.org/fileformat2.html#b_tree_pages
final class TableScan {
  private let form: RecordFormat
  private let packer: RowPageBuilder
  /// The result column of each record column; columns that were not requested map to one index past the last.
  private let places: UnsafeMutableBufferPointer<Int>
  /// One row's values, by result column.
  private let fields: UnsafeMutableBufferPointer<StoredField>
  /// The keys of the rows that SQLite has to read: those with overflow pages, and those with a value whose storage
  /// class does not match its column.
  private(set) var fallbackRowIDs: [Int64] = []
  private var lastKey: Int64 = 0
  /// The error that packing a row threw.
  private(set) var failure: (any Error)?
  /// Whether a page was damaged or too many rows need SQLite.
  private(set) var isGivenUp = false

  /// Up to this many rows, or as many as were packed, are looked up one by one; beyond that SQLite reads the whole
  /// table.
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

  /// Whether the scan accounted for all `count` rows of the table.
  func hasSeen(_ count: Int) -> Bool { !isGivenUp && packer.count + fallbackRowIDs.count == count }

  /// Packs the cells of a page if it is a table leaf.
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

  /// Packs one cell; returns false if the page is damaged.
  private func take(_ page: UnsafeRawBufferPointer, at start: Int, _ usableSize: Int) -> Bool {
    // A page is never empty.
    var cursor = VarintReader(page.baseAddress.unsafelyUnwrapped, from: start, to: usableSize)
    let size = cursor.varint()
    let key = Int64(bitPattern: cursor.varint())
    guard key > lastKey || packer.count + fallbackRowIDs.count == 0 else { return false }
    lastKey = key
    // A larger record continues on overflow pages.
    guard size <= UInt64(usableSize - 35) else { return leave(key) }
    guard let end = cursor.end(after: Int(size)), read(&cursor, to: end) else { return false }
    do {
      // The cell holds the key; the record has NULL in its place.
      return try fields[0].isNull && packer.pack(key, fields.baseAddress.unsafelyUnwrapped) || leave(key)
    } catch {
      failure = error
      return true
    }
  }

  /// Leaves a row to SQLite; returns false once there are too many of those.
  private func leave(_ key: Int64) -> Bool {
    fallbackRowIDs.append(key)
    if fallbackRowIDs.count > Self.mostOdd + packer.count { form.isPlain = false }
    return form.isPlain
  }

  /// Locates the values of a record; returns false if it is damaged.
  private func read(_ cursor: inout VarintReader, to end: Int) -> Bool {
    let begin = cursor.offset
    let size = cursor.varint()
    guard size <= UInt64(end - begin) else { return false }
    let (page, headEnd) = (cursor.page, begin + Int(size))
    var (head, body) = (cursor.offset, headEnd)
    // There is at least the key column.
    var place = UnsafePointer(places.baseAddress.unsafelyUnwrapped)
    let last = place + places.count
    let fields = fields.baseAddress.unsafelyUnwrapped
    while place != last {
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
      fields[place.pointee] = StoredField(type: type, start: page + body)
      body &+= size
      place += 1
    }
    // If the record has no columns beyond the known ones, header and body must end exactly here.
    return head < headEnd || head == headEnd && body == end
  }
}
