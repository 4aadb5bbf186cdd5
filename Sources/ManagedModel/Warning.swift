import Foundation
import Synchronization

/// What a program is told that goes on all the same, on standard error, as Apple's framework logs it.
package enum Warning {
  private static let told = Mutex<Set<String>>([])

  /// Tells it once in the life of the process.
  package static func once(_ text: String) {
    guard told.withLock({ $0.insert(text).inserted }) else { return }
    FileHandle.standardError.write(Data("CoreData: warning: \(text)\n".utf8))
  }
}
