import Foundation
import ManagedModel

/// Mapping models in files: `.cdm` as Apple's tools compile them, and `.xcmappingmodel` as Xcode edits them.
extension NSMappingModel {
  /// The mapping model of a file. nil, with the reason on standard error, for anything else: a mapping without one of its
  /// expressions would lose values.
  public convenience init?(contentsOf url: URL?) {
    self.init()
    guard let url else { return nil }
    do throws(ModelFileError) {
      entityMappings = try Self.mappings(at: url)
    } catch {
      FileHandle.standardError.write(Data("CoreData: Failed to load the mapping model: \(error)\n".utf8))
      return nil
    }
  }

  /// The first mapping model in some bundles that leads from one model to the other: whose version hashes are those of
  /// the models' entities. nil if there is none.
  /// - Parameter bundles: nil is the main bundle.
  public convenience init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) {
    guard let sourceModel, let destinationModel else { return nil }
    let (old, new) = (sourceModel.entityVersionHashesByName, destinationModel.entityVersionHashesByName)
    for url in Self.files(in: bundles ?? [.main]) {
      guard let mappings = try? Self.mappings(at: url), !mappings.isEmpty,
        mappings.allSatisfy({ $0.leads(from: old, to: new) })
      else { continue }
      self.init()
      entityMappings = mappings
      return
    }
    return nil
  }

  private static func files(in bundles: [Bundle]) -> [URL] {
    bundles.flatMap { bundle in
      let folder = bundle.resourceURL ?? bundle.bundleURL
      let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
      return names.map(folder.appendingPathComponent).filter { ["cdm", "xcmappingmodel"].contains($0.pathExtension) }
    }
  }

  private static func mappings(at url: URL) throws(ModelFileError) -> [NSEntityMapping] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw ModelFileError(file: url.path, "there is no such file")
    }
    let file = isFolder.boolValue ? url.appendingPathComponent("xcmapping.xml") : url
    guard let data = FileManager.default.contents(atPath: file.path) else {
      throw ModelFileError(file: file.path, "the file cannot be read")
    }
    let bytes = Array(data)
    return bytes.starts(with: Array("bplist".utf8))
      ? try ArchivedMapping(bytes, file: file.path).mappings() : try MappingDocument(bytes, file: file.path).mappings()
  }
}

extension NSEntityMapping {
  /// Whether the versions of the entities are those of two models.
  fileprivate func leads(from old: [String: Data], to new: [String: Data]) -> Bool {
    let isFrom = sourceEntityName.map { old[$0] != nil && old[$0] == sourceEntityVersionHash } ?? true
    let isTo = destinationEntityName.map { new[$0] != nil && new[$0] == destinationEntityVersionHash } ?? true
    return isFrom && isTo
  }
}
