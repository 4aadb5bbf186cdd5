import Foundation
import StrataPredicates

extension NSFetchRequest {
  func describe() -> String {
    let order = sortDescriptors.map { descriptors in
      "(\(descriptors.map { "(\($0.key ?? "a comparator"), \($0.ascending ? "ascending" : "descending"))" }.joined(separator: ", ")))"
    }
    let limits = [("limit", fetchLimit), ("offset", fetchOffset), ("batch size", fetchBatchSize)].filter { $0.1 != 0 }
    let parts =
      [
        "entity: \(entityName ?? "none")", predicate.map { "predicate: (\($0.formatText))" },
        order.map { "sortDescriptors: \($0)" },
      ].compactMap(\.self) + limits.map { "\($0.0): \($0.1)" } + ["type: \(resultType.word)"]
    return "<\(Swift.type(of: self)): \(Unmanaged.passUnretained(self).toOpaque())> (\(parts.joined(separator: "; ")))"
  }
}

extension NSFetchRequestResultType {
  fileprivate var word: String {
    switch self {
    case .managedObjectIDResultType: "NSManagedObjectIDResultType"
    case .dictionaryResultType: "NSDictionaryResultType"
    case .countResultType: "NSCountResultType"
    default: "NSManagedObjectResultType"
    }
  }
}
