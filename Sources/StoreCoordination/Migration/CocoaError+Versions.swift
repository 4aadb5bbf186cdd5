import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import StrataSupport

/// The userInfo that accompanies the refusal of a store in another version of its model, under the keys of Apple's
/// framework: `metadata`, `sourceModel`, `destinationModel` and `reason`.
extension CocoaError {
  /// Apple's wording for a missing mapping model.
  static let noMappingReason = "Can't find or automatically infer mapping model for migration"

  /// Apple's wording for an incompatible model.
  static let otherModelReason =
    "The model used to open the store is incompatible with the one used to create the store"

  /// The public form of an error from opening a store.
  init(_ error: StoreError, opening request: OpenRequest) {
    let plain = CocoaError(error)
    // A missing configuration is not a version problem.
    guard let url = request.url, request.type != NSInMemoryStoreType,
      request.model.entities(forConfigurationName: request.configuration) != nil,
      let details = try? plain.details(of: request.type, at: url, with: request.model)
    else {
      self = plain
      return
    }
    self = .printed(plain.code, userInfo: plain.userInfo.merging(details) { own, _ in own })
  }

  private func details(
    of type: String, at url: URL, with model: NSManagedObjectModel
  ) throws -> [String: Any] {
    let driver = try StoreDrivers.driver(ofType: type)
    func metadata() throws -> [String: Any] { MetadataValues.shown(try driver.metadata(at: url)) }
    switch code {
    case .persistentStoreIncompatibleVersionHash:
      return [
        "metadata": try metadata(),
        "reason": Self.otherModelReason,
      ]
    case .migrationMissingSourceModel:
      return ["metadata": try metadata(), "reason": "Can't find model for source store"]
    case .migrationMissingMappingModel:
      var details: [String: Any] = ["destinationModel": model]
      details["sourceModel"] =
        try driver.migrating?.keptModel(at: url)
        ?? NSManagedObjectModel.mergedModel(from: Bundle.ofTheProgram, forStoreMetadata: metadata())
      details["reason"] = Self.noMappingReason
      return details
    default: return [:]
    }
  }
}
