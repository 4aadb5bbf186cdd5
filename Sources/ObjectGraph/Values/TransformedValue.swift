import Foundation
import StrataFoundationGaps
import StrataManagedModel
import StrataRowStore
import StrataSupport

/// The bytes of a transformable attribute: the output of its value transformer.
///
/// A transformer converts values to data, and data to values in reverse; Foundation's unarchiving transformers, and
/// subclasses of the secure one, are used the other way round, as in Apple's framework.
/// See https://developer.apple.com/documentation/coredata/nsattributedescription/valuetransformername
package enum TransformedValue {
  /// Returns nil for a value that the transformer does not accept.
  static func encode(_ value: Any, of slot: PropertySlot) -> Data? {
    guard isAcceptable(value, slot: slot) else { return nil }
    let transformer = transformer(of: slot)
    return
      (isUnarchiving(transformer) ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value))
      as? Data
  }

  /// The classes of values that an attribute takes, and the transformer that says so, for the refusal of another value.
  static func requirement(of slot: PropertySlot) -> (classes: String, transformer: String) {
    let transformer = transformer(of: slot)
    let name = slot.attribute?.transformerName.flatMap { $0.isEmpty ? nil : $0 } ?? "\(type(of: transformer))"
    let allowed = (type(of: transformer) as? NSSecureUnarchiveFromDataTransformer.Type)?.allowedTopLevelClasses
    let classes = slot.attribute?.valueClassName.map { [$0] } ?? allowed?.map { "\($0)" } ?? ["NSObject"]
    return (classes.joined(separator: ", "), name)
  }

  /// Returns nil for bytes that the transformer cannot read.
  static func decode(_ bytes: UnsafeRawBufferPointer, of slot: PropertySlot) -> Any? {
    let transformer = transformer(of: slot)
    return isUnarchiving(transformer)
      ? transformer.transformedValue(Data(bytes)) : transformer.reverseTransformedValue(Data(bytes))
  }

  /// Lets predicates read the bytes of transformable attributes.
  package static let isReadable: Void = TransformableResult.read { bytes, slot in
    bytes.withUnsafeBytes { decode($0, of: slot) }
  }

  private static func isUnarchiving(_ transformer: ValueTransformer) -> Bool {
    transformer is NSSecureUnarchiveFromDataTransformer || transformer is KeyedUnarchiveFromDataTransformer
  }

  /// Whether two attributes use the same transformer.
  static func isSame(_ slot: PropertySlot, _ other: PropertySlot) -> Bool {
    transformer(of: slot) === transformer(of: other)
  }

  private static func transformer(of slot: PropertySlot) -> ValueTransformer {
    let name = slot.attribute?.transformerName ?? ""
    let wanted = name.isEmpty ? .secureUnarchiveFromDataTransformerName : NSValueTransformerName(name)
    guard let transformer = ValueTransformer.named(wanted) else { return substitute(for: wanted, slot) }
    precondition(
      type(of: transformer).allowsReverseTransformation(),
      "The value transformer '\(wanted.rawValue)' of the attribute '\(slot.name)' must allow the reverse transformation."
    )
    return transformer
  }

  /// Returns the replacement for a transformer that the program does not have: the default one, with a warning, as in
  /// Apple's framework. Models also name the *constants* of Foundation's transformers; those mean what the constants
  /// do.
  private static func substitute(for name: NSValueTransformerName, _ slot: PropertySlot) -> ValueTransformer {
    let standard: NSValueTransformerName =
      name.rawValue == "NSKeyedUnarchiveFromDataTransformerName"
      ? .keyedUnarchiveFromDataTransformerName : .secureUnarchiveFromDataTransformerName
    let subject = "attribute '\(slot.name)' on entity '\(slot.attribute?.entityName ?? "")'"
    Diagnostics.warnOnce(
      "No NSValueTransformer with class name '\(name.rawValue)' was found for \(subject); using \(standard.rawValue) instead. "
        + "Register one with ValueTransformer.setValueTransformer(_:forName:).")
    return ValueTransformer.standard(standard)
  }

  /// Whether a value is of the class that the attribute names, if the program has it.
  private static func isAcceptable(_ value: Any, slot: PropertySlot) -> Bool {
    guard let name = slot.attribute?.valueClassName,
      let type = ProgramClasses.anyClass(named: name) as? NSObject.Type, let object = value as? NSObject
    else { return true }
    return object.isKind(of: type)
  }
}

extension PropertySlot {
  /// Returns a slot's value outside a row in the form of `value(forKey:)`; nil also if a transformer cannot read it.
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
