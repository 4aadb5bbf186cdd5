import Foundation
import StrataFormats
import StrataManagedModel
import StrataSupport

/// Mapping models in files: `.cdm` as Apple's tools compile them, and `.xcmappingmodel` as Xcode edits them.
extension NSMappingModel {
  /// Creates a mapping model from a file: a compiled `.cdm`, or an `.xcmappingmodel` as edited in Xcode.
  ///
  /// If it cannot be read completely, the result is nil, since a mapping with missing expressions would lose values.
  /// The reason is written to standard error.
  public convenience init?(contentsOf url: URL?) {
    self.init()
    guard let url else { return nil }
    do throws(FileFormatError) {
      entityMappings = try Self.mappings(at: url)
    } catch {
      Diagnostics.report("Failed to load the mapping model: \(error)")
      return nil
    }
  }

  /// Creates the first mapping model in some bundles that leads from one model to another, by the version hashes of
  /// their entities; nil if there is none.
  /// - Parameters:
  ///   - bundles: the bundles to search; nil for the main bundle.
  ///   - sourceModel: the model of the source store.
  ///   - destinationModel: the model of the destination store.
  public convenience init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) {
    guard let sourceModel, let destinationModel else { return nil }
    let (old, new) = (sourceModel.entityVersionHashesByName, destinationModel.entityVersionHashesByName)
    let hasMain = bundles?.contains { $0 == .main } ?? true || bundles?.isEmpty == true
    func leads(_ mapping: NSEntityMapping) -> Bool { mapping.leads(from: old, to: new) }
    let carried = hasMain ? EmbeddedMappings.files : []
    let found =
      carried.lazy.compactMap { MappingFiles.mappings(in: $0, where: leads) }.first
      ?? Self.files(in: bundles ?? [.main]).lazy.compactMap { MappingFiles.mappings(at: $0, where: leads) }.first
    guard let found else { return nil }
    self.init()
    entityMappings = found
  }

  /// Whether the mapping model leads from one model to another, by the version hashes of their entities.
  package func leads(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) -> Bool {
    let (old, new) = (source.entityVersionHashesByName, destination.entityVersionHashesByName)
    return (entityMappings ?? []).allSatisfy { $0.leads(from: old, to: new) }
  }

  private static func files(in bundles: [Bundle]) -> [URL] {
    bundles.flatMap { bundle in
      let folder = bundle.resourceURL ?? bundle.bundleURL
      let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
      return names.map(folder.appendingPathComponent).filter { ["cdm", "xcmappingmodel"].contains($0.pathExtension) }
    }
  }

  static func mappings(at url: URL) throws(FileFormatError) -> [NSEntityMapping] {
    if let file = CarriedFile.at(url) { return try mappings(in: file.bytes, file: url.path) }
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw FileFormatError(file: url.path, "there is no such file")
    }
    let file = file(at: url)
    return try mappings(in: Array(try FileContents.ofSource(file.path)), file: file.path)
  }

  /// The file with the contents of a mapping model, which Xcode keeps in a folder.
  static func file(at url: URL) -> URL {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    return isThere && isFolder.boolValue ? url.appendingPathComponent("xcmapping.xml") : url
  }

  /// - Parameter file: the file's name in errors.
  package static func mappings(in bytes: [UInt8], file: String) throws(FileFormatError) -> [NSEntityMapping] {
    bytes.starts(with: Array("bplist".utf8))
      ? try ArchivedMapping(bytes, file: file).mappings() : try MappingDocument(bytes, file: file).mappings()
  }
}

extension NSEntityMapping {
  /// Whether the mapping leads from the entity versions of one model to those of another.
  fileprivate func leads(from old: [String: Data], to new: [String: Data]) -> Bool {
    let isFrom = sourceEntityName.map { old[$0] != nil && old[$0] == sourceEntityVersionHash } ?? true
    let isTo = destinationEntityName.map { new[$0] != nil && new[$0] == destinationEntityVersionHash } ?? true
    return isFrom && isTo
  }
}
