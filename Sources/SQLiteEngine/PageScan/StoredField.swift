/// A value of a record as stored in the file: a serial type, which gives kind and length, and bytes.
/// See https://sqlite.org/fileformat2.html#record_format
struct StoredField {
  /// 0: NULL; 1 to 6: integers; 7: real; 8 and 9: the integers 0 and 1; from 12, even: blob, odd: text.
  let type: Int
  let start: UnsafeRawPointer

  var isNull: Bool { @inline(__always) get { type == 0 } }
  var isInteger: Bool { @inline(__always) get { type < 10 && type != 0 && type != 7 } }
  /// Excludes NaN, which SQLite reads as NULL.
  var isReal: Bool { @inline(__always) get { type == 7 && !real.isNaN } }
  var isText: Bool { @inline(__always) get { type >= 13 && type & 1 == 1 } }
  var isBlob: Bool { @inline(__always) get { type >= 12 && type & 1 == 0 } }

  /// The bytes that a value of a serial type occupies; nil for the reserved types.
  @inline(__always)
  static func size(of type: Int) -> Int? {
    if UInt(bitPattern: type) < 10 { return fixedSize(of: type) }
    return type >= 12 ? (type &- 12) &>> 1 : nil
  }

  /// One decimal digit per type from 0 to 9, the lowest digit for type 0.
  @inline(__always)
  private static func fixedSize(of type: Int) -> Int { (0x00_8864_3210 &>> (type &* 4)) & 0xF }

  /// The integer's value. Loads the eight bytes that end with the value: at least eight bytes of the page precede any
  /// record.
  var integer: Int64 {
    @inline(__always) get {
      guard type < 8 else { return Int64(type &- 8) }
      let size = Self.fixedSize(of: type)
      let word = (start + (size &- 8)).loadUnaligned(as: Int64.self).bigEndian
      let rest = Int64(64 &- size &* 8)
      return (word &<< rest) &>> rest
    }
  }

  /// The real's value.
  var real: Double {
    @inline(__always) get { Double(bitPattern: start.loadUnaligned(as: UInt64.self).bigEndian) }
  }

  /// The bytes of a text or blob.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: (type - 12) >> 1) }
}
