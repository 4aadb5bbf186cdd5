import Foundation
import StrataCoreDataErrors
import StrataManagedModel
import StrataModelFiles
import StrataObjectGraph
import StrataRowStore
import StrataSQLStore

/// What programs find beside the refusal of a store that is in another version of its model, under the keys where Apple's
/// framework has it: `metadata`, `sourceModel`, `destinationModel` and `reason`.
extension CocoaError {
  /// Why there is no way from one model to another, in the words of Apple's framework.
  static let noMappingReason = "Can't find or automatically infer mapping model for migration"

  /// Why a store does not fit a model, in the same words.
  static let otherModelReason =
    "The model used to open the store is incompatible with the one used to create the store"

  /// The error of a store that is opened, in its public form.
  init(
    _ error: StoreError, opening type: String, configuration: String?, at url: URL?, with model: NSManagedObjectModel
  ) {
    let plain = CocoaError(error)
    // A configuration that the model does not have is no matter of versions.
    guard let url, type != NSInMemoryStoreType, model.entities(forConfigurationName: configuration) != nil,
      let details = try? plain.details(of: type, at: url, with: model)
    else {
      self = plain
      return
    }
    self = CocoaError(plain.code, userInfo: plain.userInfo.merging(details) { own, _ in own })
  }

  private func details(
    of type: String, at url: URL, with model: NSManagedObjectModel
  ) throws -> [String: Any] {
    func metadata() throws -> [String: Any] {
      try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .init(rawValue: type), at: url)
    }
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
        try SQLStore.keptModel(at: url)
        ?? NSManagedObjectModel.mergedModel(from: Bundle.ofTheProgram, forStoreMetadata: metadata())
      details["reason"] = Self.noMappingReason
      return details
    default: return [:]
    }
  }
}
