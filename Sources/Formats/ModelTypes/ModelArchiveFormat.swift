/// The format in which a build embeds a model, which a program reads on first use. Only this framework reads and writes
/// it; a `.mom` file in Apple's format is for others.
///
///     "strata\0m"     8 bytes
///     version         1 byte: 1. A reader refuses every other.
///     checksum        8 bytes, little-endian: FNV-1a over all that follows
///     texts           count, then each text of the model once: length, UTF-8
///     model           version identifiers, localized strings, entities, configurations, fetch templates
///     entity          head, sub-entities, properties, then for all entities: constraints and indexes, which name
///                     properties, and inverses
///     hashes          the version hash of each entity, 32 bytes: computing it takes longer than reading the entity. Zeros
///                     for a hash that the writer does not know. Absent for a model with composite attributes, whose
///                     elements do not report edits to it.
///
/// Numbers are varints of seven bits a byte, the lowest first; signed ones are zigzagged. A text is its number in the
/// list plus 1, and 0 is nil; an entity is its index among the entities. Predicates and expressions are texts in their
/// own language.
package enum ModelArchiveFormat {
  package static let magic = Array("strata\0m".utf8)
  package static let version: UInt8 = 1
  /// The size of magic, version and checksum.
  package static let headCount = 17

  /// The kinds of constants, by their number in an archive.
  package enum ConstantKind: UInt8 {
    case null, no, yes, integer, double, float, decimal, text, date, data, uuid, url, list, dictionary
  }

  /// The kinds of properties, by their number in an archive.
  package enum PropertyKind: UInt8 {
    case attribute, derived, composite, relationship, fetched
  }

  package static func checksum(of body: ArraySlice<UInt8>) -> UInt64 {
    body.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

/// The bytes of an archive that is being written.
package struct ModelArchiveBuffer {
  package var bytes: [UInt8] = []
  private var texts: [String] = []
  private var textNumbers: [String: Int] = [:]

  package init() {}

  /// The whole archive: head, texts, and the bytes written.
  package var archive: [UInt8] {
    var list = ModelArchiveBuffer()
    list.number(texts.count)
    for text in texts {
      list.number(text.utf8.count)
      list.bytes += Array(text.utf8)
    }
    let body = list.bytes + bytes
    let checksum = ModelArchiveFormat.checksum(of: body[...])
    return ModelArchiveFormat.magic + [ModelArchiveFormat.version]
      + (0..<8).map { UInt8(truncatingIfNeeded: checksum >> ($0 * 8)) } + body
  }

  fileprivate mutating func number(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number))
    while rest >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Returns a text's number, which starts at 1.
  fileprivate mutating func number(of text: String) -> Int {
    if let number = textNumbers[text] { return number }
    texts.append(text)
    textNumbers[text] = texts.count
    return texts.count
  }
}

/// A writer of archives.
package protocol ModelArchiveEncoder {
  var buffer: ModelArchiveBuffer { get set }
}

extension ModelArchiveEncoder {
  package mutating func number(_ number: Int) { buffer.number(number) }

  package mutating func signed(_ value: Int64) { buffer.number(Int(value << 1 ^ value >> 63)) }

  package mutating func text(_ text: String?) { buffer.number(text.map { buffer.number(of: $0) } ?? 0) }

  package mutating func flags(_ flags: [Bool]) {
    buffer.bytes.append(flags.enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) })
  }

  package mutating func bits(_ bits: UInt64) {
    buffer.bytes += (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
  }

  package mutating func kind(_ kind: ModelArchiveFormat.ConstantKind) { buffer.bytes.append(kind.rawValue) }

  package mutating func kind(_ kind: ModelArchiveFormat.PropertyKind) { buffer.bytes.append(kind.rawValue) }

  package mutating func list<Member>(_ members: [Member], write: (inout Self, Member) -> Void) {
    number(members.count)
    for member in members { write(&self, member) }
  }

  package mutating func optional<Value, Failure: Error>(
    _ value: Value?, write: (inout Self, Value) throws(Failure) -> Void
  ) throws(Failure) {
    buffer.bytes.append(value == nil ? 0 : 1)
    if let value { try write(&self, value) }
  }
}
