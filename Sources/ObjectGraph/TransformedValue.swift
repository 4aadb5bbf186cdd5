import Foundation
import ManagedModel
import RowStore

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

extension PropertySlot {
  /// A value of the slot outside of a row as `value(forKey:)` answers it; nil also for what a transformer cannot read.
  package func object(of value: SlotValue) -> Any? {
    switch value {
    case .null, .reference: nil
    case .integer(let value): NSNumber(value: value)
    case .boolean(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .string(let value): value
    case .uri(let value): URL(string: value)
    case .uuid(let value): value
    case .data(let bytes):
      kind == .transformable ? bytes.withUnsafeBytes { TransformedValue.decode($0, of: self) } : Data(bytes)
    }
  }
}
