import CoreData
import Foundation

/// Returns bytes unchanged, because the classes and transformers of the programs that wrote the stores are unavailable.
final class PlainTransformer: ValueTransformer {
  override class func allowsReverseTransformation() -> Bool { true }
  override func transformedValue(_ value: Any?) -> Any? { value }
  override func reverseTransformedValue(_ value: Any?) -> Any? { value }

  /// Removes references to other programs' classes from a model that is not in use yet.
  static func plain(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
    let name = NSValueTransformerName("PlainBytes")
    ValueTransformer.setValueTransformer(PlainTransformer(), forName: name)
    for entity in model.entities {
      entity.managedObjectClassName = nil
      for case let attribute as NSAttributeDescription in entity.properties
      where attribute.attributeType == .transformableAttributeType {
        attribute.valueTransformerName = name.rawValue
        attribute.attributeValueClassName = nil
      }
    }
    return model
  }
}
