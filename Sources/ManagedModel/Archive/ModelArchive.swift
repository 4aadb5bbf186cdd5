import Foundation

/// THE EMBEDDED MODEL: the format in which the build embeds a model as data, which a program decodes on first use.
/// Written and read only by this framework; a `.mom` file is the form for others.
///
///     "strata\0m"     8 bytes
///     version         1 byte: 1. A reader refuses every other.
///     checksum        8 bytes, little-endian: FNV-1a over all that follows
///     texts           count, then each text of the model once: length, UTF-8
///     model           version identifiers, texts for people, entities, configurations, fetch templates
///     entity          head, sub-entities, properties, then for all entities: constraints and indexes, which name
///                     properties, and inverses
///     hashes          the version hash of each entity, 32 bytes: to compute it takes longer than to read the entity.
///                     Left out for a model with composite attributes, whose elements do not tell it of edits.
///
/// Numbers are varints of seven bits a byte, the lowest first; signed ones are zigzagged. A text is its number in the
/// list plus 1, and 0 is nil; an entity is its index among the entities. Predicates and expressions are texts in their
/// own language, so that the archive outlives their trees.
package enum ModelArchive {
  package static let magic = Array("strata\0m".utf8)
  static let version: UInt8 = 1
  /// The size of magic, version and checksum.
  static let headCount = 17

  /// Encodes a model.
  /// - Throws: `ModelArchiveError` for what has no textual form: a predicate made from a block, a default value of a
  ///   class of the program.
  package static func bytes(of model: NSManagedObjectModel) throws(ModelArchiveError) -> [UInt8] {
    // The hashes are those of the model that is read, which lacks relationships that lead nowhere.
    let plain = try bytes(of: model, hashes: [])
    return try bytes(of: model, hashes: self.model(plain).entities.map(\.versionHash))
  }

  private static func bytes(
    of model: NSManagedObjectModel, hashes: [Data]
  ) throws(ModelArchiveError) -> [UInt8] {
    var writer = ModelArchiveWriter()
    try writer.write(model, hashes: hashes)
    let body = writer.body
    return magic + [version] + (0..<8).map { UInt8(truncatingIfNeeded: checksum(body) >> ($0 * 8)) } + body
  }

  /// Decodes a model.
  /// - Throws: `ModelArchiveError` for bytes that are not an archive of this version, or are damaged.
  package static func model(_ bytes: [UInt8]) throws(ModelArchiveError) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    try read(bytes, into: model)
    return model
  }

  /// Decodes an archive into an empty model.
  /// - Throws: `ModelArchiveError` for bytes that are not an archive of this version, or are damaged.
  package static func read(_ bytes: [UInt8], into model: NSManagedObjectModel) throws(ModelArchiveError) {
    guard bytes.count > headCount, bytes.starts(with: magic) else {
      throw ModelArchiveError("these \(bytes.count) bytes are no embedded model")
    }
    guard bytes[8] == version else {
      throw ModelArchiveError(
        "the embedded model is of version \(bytes[8]), and this framework reads version \(version): build it again")
    }
    let body = bytes[headCount...]
    let sum = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[9 + $1]) << ($1 * 8) }
    guard checksum(body) == sum else { throw ModelArchiveError("the embedded model is damaged: its checksum differs") }
    var reader = ModelArchiveReader(body)
    try reader.read(into: model)
  }

  private static func checksum(_ bytes: some Collection<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

/// Why a model cannot be archived, or an archive not be read.
package struct ModelArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// The kinds of constants, by their number in an archive.
enum ArchivedConstantKind: UInt8 {
  case null, no, yes, integer, double, float, decimal, text, date, data, uuid, url, list, dictionary
}
