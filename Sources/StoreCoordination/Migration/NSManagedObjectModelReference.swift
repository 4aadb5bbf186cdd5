import Foundation
import StrataCoreDataErrors
import StrataManagedModel
import StrataModelFiles
import StrataObjectGraph

/// A version of a model for a stage of a migration: found when it is needed, and told by its checksum.
/// See https://developer.apple.com/documentation/coredata/nsmanagedobjectmodelreference
open class NSManagedObjectModelReference: NSObject {
  /// The checksum of the version, as Xcode's build log and `VersionInfo.plist` have it.
  public let versionChecksum: String
  private let place: String
  private let find: () -> NSManagedObjectModel?

  private init(_ place: String, _ checksum: String, _ find: @escaping () -> NSManagedObjectModel?) {
    self.place = place
    versionChecksum = checksum
    self.find = find
    super.init()
  }

  /// Refers to a model that is there already.
  public convenience init(model: NSManagedObjectModel, versionChecksum: String) {
    self.init("the model given in code", versionChecksum) { model }
  }

  /// Refers to the model in a file.
  public convenience init(fileURL: URL, versionChecksum: String) {
    self.init(fileURL.path, versionChecksum) { NSManagedObjectModel(contentsOf: fileURL) }
  }

  /// Refers to the model of a name in a bundle, or to one that the program carries. Of several versions it is the one with
  /// the checksum.
  /// - Parameter bundle: nil is the main bundle.
  public convenience init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
    self.init("the model '\(modelName)'", versionChecksum) {
      let model = NSManagedObjectModel.model(named: modelName, in: bundle ?? .main)
      guard model?.versionChecksum != versionChecksum else { return model }
      return NSManagedObjectModel.version(withChecksum: versionChecksum, in: [bundle ?? .main]) ?? model
    }
  }

  /// Refers to the version with certain hashes among the models of a bundle and those that the program carries.
  /// - Parameter bundle: nil is the main bundle.
  public convenience init(
    entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String
  ) {
    let pairs = versionHash.compactMap { key, value in (key as? String).map { ($0, value) } }
    let hashes = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    self.init("a version with entities \(hashes.keys.sorted())", versionChecksum) {
      NSManagedObjectModel.mergedModel(
        from: bundle.map { [$0] }, forStoreMetadata: [NSStoreModelVersionHashesKey: hashes as? [String: Data] ?? [:]])
    }
  }

  /// The model. One that is not to be found, or has another checksum, stops the program; a migration throws 134504
  /// instead.
  public var resolvedModel: NSManagedObjectModel {
    do { return try resolve() } catch { fatalError(error.localizedDescription) }
  }

  func resolve() throws -> NSManagedObjectModel {
    let model = find()
    if let model, model.versionChecksum == versionChecksum { return model }
    let reason = model.map { "it has the checksum \($0.versionChecksum)" } ?? "there is no such model"
    throw CocoaError.coreData(
      .missingModelReference,
      "The model version \(versionChecksum) cannot be had from \(place): \(reason). Put that version into the program.")
  }
}
