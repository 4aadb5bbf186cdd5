import Foundation
import ManagedModel

/// The bytes of a transformable attribute: what its value transformer makes of the value.
///
/// A transformer makes data of values, and values of data in reverse; Foundation's own unarchiving ones, and classes
/// that descend from the secure one, are used the other way round, as Apple's framework does.
/// See https://developer.apple.com/documentation/coredata/nsattributedescription/valuetransformername
enum TransformedValue {
  /// nil for a value that the transformer does not take.
  static func encode(_ value: Any, of slot: PropertySlot) -> Data? {
    guard isAcceptable(value, slot) else { return nil }
    let transformer = transformer(of: slot)
    return
      (isUnarchiving(transformer) ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value))
      as? Data
  }

  /// nil for bytes that the transformer cannot read.
  static func decode(_ bytes: UnsafeRawBufferPointer, of slot: PropertySlot) -> Any? {
    let transformer = transformer(of: slot)
    return isUnarchiving(transformer)
      ? transformer.transformedValue(Data(bytes)) : transformer.reverseTransformedValue(Data(bytes))
  }

  private static func isUnarchiving(_ transformer: ValueTransformer) -> Bool {
    transformer is NSSecureUnarchiveFromDataTransformer || transformer is KeyedUnarchiveFromDataTransformer
  }

  private static func transformer(of slot: PropertySlot) -> ValueTransformer {
    let name = (slot.property as? NSAttributeDescription)?.valueTransformerName
    let wanted = name.map(NSValueTransformerName.init(rawValue:)) ?? .secureUnarchiveFromDataTransformerName
    guard let transformer = ValueTransformer.named(wanted) else {
      // Apple's framework warns and archives the value instead: other programs would find other bytes than they expect.
      fatalError(
        "No NSValueTransformer with class name '\(wanted.rawValue)' was found for attribute '\(slot.name)' on entity "
          + "'\(slot.property.entity.name ?? "")': register one with ValueTransformer.setValueTransformer(_:forName:).")
    }
    precondition(
      type(of: transformer).allowsReverseTransformation(),
      "The value transformer '\(wanted.rawValue)' of the attribute '\(slot.name)' must allow the reverse transformation."
    )
    return transformer
  }

  /// Whether a value is of the class that the attribute names, if the program has it.
  private static func isAcceptable(_ value: Any, _ slot: PropertySlot) -> Bool {
    guard let name = (slot.property as? NSAttributeDescription)?.attributeValueClassName,
      let type = ObjectClasses.named(name) as? NSObject.Type, let object = value as? NSObject
    else { return true }
    return object.isKind(of: type)
  }
}
