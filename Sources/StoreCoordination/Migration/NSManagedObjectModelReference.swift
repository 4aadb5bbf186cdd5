import Foundation
import StrataManagedModel
import StrataObjectGraph

/// A reference to a version of a model, for a migration stage. The model is loaded when it is needed and verified by
/// its checksum.
/// See <https://developer.apple.com/documentation/coredata/nsmanagedobjectmodelreference>
open class NSManagedObjectModelReference: NSObject {
  /// The checksum of the version, as in Xcode's build log and `VersionInfo.plist`.
  public let versionChecksum: String
  private let place: String
  private let find: () -> NSManagedObjectModel?

  private init(_ place: String, _ checksum: String, _ find: @escaping () -> NSManagedObjectModel?) {
    self.place = place
    versionChecksum = checksum
    self.find = find
    super.init()
  }

  /// Creates a reference to a model in memory.
  public convenience init(model: NSManagedObjectModel, versionChecksum: String) {
    self.init("the model given in code", versionChecksum) { model }
  }

  /// Creates a reference to the model in a file.
  public convenience init(fileURL: URL, versionChecksum: String) {
    self.init(fileURL.path, versionChecksum) { NSManagedObjectModel(contentsOf: fileURL) }
  }

  /// Creates a reference to the model with a name in a bundle or embedded in the program. Of several versions, it is
  /// the one with the checksum.
  /// - Parameters:
  ///   - modelName: the name of the model.
  ///   - bundle: the bundle to search; nil for the main bundle.
  ///   - versionChecksum: the checksum of the version.
  public convenience init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
    self.init("the model '\(modelName)'", versionChecksum) {
      let model = NSManagedObjectModel.model(named: modelName, in: bundle ?? .main)
      guard model?.versionChecksum != versionChecksum else { return model }
      return NSManagedObjectModel.version(withChecksum: versionChecksum, in: [bundle ?? .main]) ?? model
    }
  }

  /// Creates a reference to the version with some version hashes, among the models of a bundle and those embedded in
  /// the program.
  /// - Parameters:
  ///   - versionHash: the version hash of each entity, by name.
  ///   - bundle: the bundle to search; nil for the main bundle.
  ///   - versionChecksum: the checksum of the version.
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

  /// The model. If it is not found, or has another checksum, the program stops. A migration throws `CocoaError` 134504
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
      "Cannot load the model version \(versionChecksum) from \(place): \(reason). Add that version to the program's bundle."
    )
  }
}
