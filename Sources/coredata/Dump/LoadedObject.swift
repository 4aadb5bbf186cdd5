import CoreData
import Foundation

/// An object that is being loaded.
final class LoadedObject: NSManagedObject {
  /// Whether relationships are still to come, so that only its attributes are validated.
  var isUnfinished = false

  override func validateForInsert() throws {
    if isUnfinished { try validateAttributes() } else { try super.validateForInsert() }
  }

  override func validateForUpdate() throws {
    if isUnfinished { try validateAttributes() } else { try super.validateForUpdate() }
  }

  private func validateAttributes() throws {
    for name in entity.attributesByName.keys {
      var value = value(forKey: name) as AnyObject?
      try validateValue(&value, forKey: name)
    }
  }
}
