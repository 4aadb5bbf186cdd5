import Foundation
import StrataFormats

/// Encodes and decodes models in the format that builds embed: see ``ModelArchiveFormat``.
package enum ModelArchive {
  package static let magic = ModelArchiveFormat.magic

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
    return writer.buffer.archive
  }

  /// Decodes a model.
  /// - Throws: `ModelArchiveError` for bytes that are not an archive of this version, or are damaged.
  package static func model(_ bytes: [UInt8]) throws(ModelArchiveError) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    try read(bytes, into: model)
    return model
  }

  /// Decodes an archive into an empty model.
  /// - Returns: a warning for each predicate and expression that is invalid, and left out.
  /// - Throws: `ModelArchiveError` for bytes that are not an archive of this version, or are damaged.
  @discardableResult
  package static func read(
    _ bytes: [UInt8], into model: NSManagedObjectModel
  ) throws(ModelArchiveError) -> [String] {
    guard bytes.count > ModelArchiveFormat.headCount, bytes.starts(with: magic) else {
      throw ModelArchiveError("these \(bytes.count) bytes are not an embedded model")
    }
    let version = ModelArchiveFormat.version
    guard bytes[8] == version else {
      throw ModelArchiveError(
        "the embedded model is of version \(bytes[8]), and this framework reads version \(version): build it again")
    }
    let body = bytes[ModelArchiveFormat.headCount...]
    var sum: UInt64 = 0
    for index in 0..<8 { sum |= UInt64(bytes[9 + index]) << (index * 8) }
    guard ModelArchiveFormat.checksum(of: body) == sum else {
      throw ModelArchiveError("the embedded model is damaged: its checksum differs")
    }
    var reader = ModelArchiveReader(body)
    try reader.read(into: model)
    return reader.warnings
  }
}

/// The reason a model cannot be archived, or an archive not be read.
package struct ModelArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// A model in a program's own archive, as one opaque value in the embedded format.
extension NSManagedObjectModel {
  package static let archiveKey = "model"

  /// True: a model can be archived with secure coding.
  public static var supportsSecureCoding: Bool { true }

  /// Archives the model.
  ///
  /// A predicate made of a block, or a default value of a class that cannot be archived, stops the program.
  public func encode(with coder: NSCoder) {
    do throws(ModelArchiveError) {
      coder.encode(NSData(data: Data(try ModelArchive.bytes(of: self))), forKey: Self.archiveKey)
    } catch {
      fatalError("The model cannot be archived: \(error)")
    }
  }
}
