/// A value of a record as the file has it: a serial type, which says kind and length, and bytes.
/// See https://sqlite.org/fileformat2.html#record_format
struct StoredField {
  /// 0 is NULL, 1 to 6 are integers, 7 is a real number, 8 and 9 are the integers 0 and 1; from 12 on the even ones are
  /// blobs and the odd ones texts.
  let type: Int
  let start: UnsafeRawPointer

  var isNull: Bool { @inline(__always) get { type == 0 } }
  var isInteger: Bool { @inline(__always) get { type < 10 && type != 0 && type != 7 } }
  /// A stored NaN is none: SQLite reads it as NULL.
  var isReal: Bool { @inline(__always) get { type == 7 && !real.isNaN } }
  var isText: Bool { @inline(__always) get { type >= 13 && type & 1 == 1 } }
  var isBlob: Bool { @inline(__always) get { type >= 12 && type & 1 == 0 } }

  /// How many bytes a value of a type takes; nil of a type that no value has.
  @inline(__always)
  static func size(of type: Int) -> Int? {
    if UInt(bitPattern: type) < 10 { return fixedSize(of: type) }
    return type >= 12 ? (type &- 12) &>> 1 : nil
  }

  /// A digit for each type from 0 to 9, the last one first.
  @inline(__always)
  private static func fixedSize(of type: Int) -> Int { (0x00_8864_3210 &>> (type &* 4)) & 0xF }

  /// The number, of an integer. The word that ends with its bytes is read: a record lies behind more than eight others of
  /// its page.
  var integer: Int64 {
    @inline(__always) get {
      guard type < 8 else { return Int64(type &- 8) }
      let size = Self.fixedSize(of: type)
      let word = (start + (size &- 8)).loadUnaligned(as: Int64.self).bigEndian
      let rest = Int64(64 &- size &* 8)
      return (word &<< rest) &>> rest
    }
  }

  /// The number, of a real one.
  var real: Double {
    @inline(__always) get { Double(bitPattern: start.loadUnaligned(as: UInt64.self).bigEndian) }
  }

  /// The bytes, of a text or a blob.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: (type - 12) >> 1) }
}
