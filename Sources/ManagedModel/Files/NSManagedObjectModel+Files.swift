import Foundation
import StrataFormats
import StrataSupport

extension NSManagedObjectModel {
  /// Creates a model from a file: a compiled `.momd` or `.mom`, or an `.xcdatamodeld` or `.xcdatamodel` as edited in
  /// Xcode.
  ///
  /// Of a model with several versions, the current one is read. If the file cannot be read, the result is nil and the
  /// reason is written to standard error.
  public convenience init?(contentsOf url: URL) {
    self.init()
    if let file = CarriedFile.at(url), (try? ModelArchive.read(file.bytes, into: self)) != nil {
      setClassHome(file.module)
      return
    }
    do throws(FileFormatError) {
      for warning in try read(try ModelFolder(at: url).current(in: url)) { Diagnostics.report(warning.description) }
      if let bundle = url.pathComponents.last(where: { $0.hasSuffix(Self.bundleSuffix) }) {
        setClassHome(String(bundle.dropLast(Self.bundleSuffix.count)))
      }
    } catch {
      Diagnostics.report("Failed to load the model at \(url.path): \(error)")
      return nil
    }
  }

  /// The suffix of the bundles that SwiftPM makes of targets' resources.
  private static let bundleSuffix = ".resources"

  /// Sets where the classes of all entities are.
  func setClassHome(_ home: String) { for entity in entities { entity.classHome = home } }

  /// Returns a model with the entities of all models in some bundles, including models that are embedded in the
  /// program.
  ///
  /// Entities with the same name must be equal. The models of targets built with the model plugin count as part of the
  /// main bundle, except those of libraries that cannot be merged with the program's own. A target's `Bundle.module`
  /// has the models of that target alone.
  /// - Parameter bundles: the bundles to search. Nil and an empty array both mean the main bundle, because
  ///   `Bundle.allBundles` omits it on Linux.
  public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    NSManagedObjectModel(byMerging: models(in: bundles))
  }

  /// Returns the model that a store was written with, built from the models of some bundles, including older versions.
  /// - Parameters:
  ///   - bundles: the bundles to search; nil for the main bundle.
  ///   - metadata: the metadata of the store.
  /// - Returns: nil if any entity of the store is missing.
  public class func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
  ) -> NSManagedObjectModel? {
    let embedded = hasMain(bundles) ? EmbeddedModels.all(versions: true) : []
    let models = embedded + folders(in: bundles ?? [.main]).flatMap(versions)
    return NSManagedObjectModel(byMerging: models, forStoreMetadata: metadata)
  }

  /// Returns the model version with a checksum, from some bundles and the program itself; nil if it is not found.
  package static func version(withChecksum checksum: String, in bundles: [Bundle]) -> NSManagedObjectModel? {
    EmbeddedModels.all(versions: true).first { $0.versionChecksum == checksum }
      ?? folders(in: bundles).lazy.flatMap(versions).first { $0.versionChecksum == checksum }
  }

  /// Returns the checksum of each version of a compiled model, by the version's name.
  /// - Throws: a `CocoaError` if the URL does not lead to a model.
  public class func __checksumsForVersionedModel(at modelURL: URL) throws -> [String: String] {
    let info = ModelFolder.versionInfo(of: modelURL)
    if let checksums = info?["NSManagedObjectModel_VersionChecksums"] as? [String: String] { return checksums }
    var checksums: [String: String] = [:]
    if let file = CarriedFile.at(modelURL) {
      for version in EmbeddedModels.files where version.path.hasPrefix("\(file.path)/") {
        let name = version.path.dropFirst(file.path.count + 1).dropLast(4)
        checksums[String(name)] = try ModelArchive.model(version.bytes).versionChecksum
      }
      return checksums
    }
    for (name, url) in try ModelFolder(at: modelURL).versions {
      let model = NSManagedObjectModel()
      _ = try model.read(url)
      checksums[name] = model.versionChecksum
    }
    return checksums
  }

  private static func models(in bundles: [Bundle]?) -> [NSManagedObjectModel] {
    guard hasMain(bundles) else { return folders(in: bundles ?? []).compactMap(NSManagedObjectModel.init(contentsOf:)) }
    // A file next to the program does not replace an embedded model.
    let files = folders(in: bundles ?? [.main]).filter { url in
      !EmbeddedModels.contains(url.deletingPathExtension().lastPathComponent)
    }
    return EmbeddedModels.mergeable() + files.compactMap(NSManagedObjectModel.init(contentsOf:))
  }

  private static func hasMain(_ bundles: [Bundle]?) -> Bool {
    bundles?.contains { $0 == .main } ?? true || bundles?.isEmpty == true
  }

  /// Returns every readable version at a location.
  private static func versions(at url: URL) -> [NSManagedObjectModel] {
    let versions = (try? ModelFolder(at: url))?.versions ?? []
    return versions.compactMap { NSManagedObjectModel(contentsOf: $0.url) }
  }

  /// Returns the locations of the models in some bundles.
  private static func folders(in bundles: [Bundle]) -> [URL] {
    bundles.flatMap { bundle in
      let folder = bundle.resourceURL ?? bundle.bundleURL
      let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
      return names.map(folder.appendingPathComponent).filter { extensions.contains($0.pathExtension) }
    }
  }

  private static let extensions: Set<String> = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

  /// Returns the model with a name: an embedded one, of the given module if there are several, else one of a bundle,
  /// compiled or in Xcode's format. nil if it is not found.
  /// - Parameter bundle: only asked for if no such model is embedded. Foundation reads the program's folder to find the
  ///   main one.
  package static func model(
    named name: String, module: String? = nil, in bundle: @autoclosure () -> Bundle = .main
  ) -> NSManagedObjectModel? {
    if let embedded = EmbeddedModels.model(named: name, module: module) { return embedded }
    let bundle = bundle()
    let folder = bundle.resourceURL ?? bundle.bundleURL
    let candidates = ["momd", "mom", "xcdatamodeld", "xcdatamodel"].map {
      folder.appendingPathComponent("\(name).\($0)")
    }
    return candidates.first { FileManager.default.fileExists(atPath: $0.path) }.flatMap(
      NSManagedObjectModel.init(contentsOf:))
  }
}
