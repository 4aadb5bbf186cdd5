import CoreData
import Foundation
import StrataManagedModel
import StrataPredicates

/// A fetch request template.
struct RequestReport: Encodable {
  var entity: String?
  var predicate: String?
  /// Key paths; a leading minus means descending.
  var sortDescriptors: [String]
  var fetchLimit: Int
  var fetchBatchSize: Int
  /// "objects", "ids", "dictionaries" or "count".
  var resultType: String

  init(_ template: FetchTemplate) {
    entity = template.entityName
    predicate = template.predicate.map(JSONValue.text(of:))
    sortDescriptors = template.sortDescriptors.map { ($0.ascending ? "" : "-") + ($0.key ?? "") }
    fetchLimit = template.fetchLimit
    fetchBatchSize = template.fetchBatchSize
    resultType = [1: "ids", 2: "dictionaries", 4: "count"][template.resultType] ?? "objects"
  }
}
