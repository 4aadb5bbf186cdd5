import Foundation

extension NSManagedObjectContext {
  var debugText: String {
    let address = "<\(type(of: self)): \(Unmanaged.passUnretained(self).toOpaque())>"
    let queue = concurrencyType == .mainQueueConcurrencyType ? "main queue" : "private queue"
    let lives = tracker.tracked.map(\.life)
    let counts = [("inserted", ObjectLife.inserted), ("updated", .changed), ("deleted", .deleted)].map { word, life in
      "\(lives.count { $0 == life }) \(word)"
    }
    let above = parent.map { "parent: \($0.label)" } ?? (source == nil ? "no store" : "coordinator")
    let parts: [String?] = [
      name.map { "name: \($0)" }, queue, transactionAuthor.map { "author: \($0)" },
      "\(registry.count) registered", counts.joined(separator: ", "), above,
    ]
    return "\(address) (\(parts.compactMap(\.self).joined(separator: "; ")))"
  }
}
