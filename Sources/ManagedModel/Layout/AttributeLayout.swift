import StrataPredicates

/// An attribute, or an element of a composite attribute, as stores need it.
package final class AttributeLayout: @unchecked Sendable {
  // @unchecked: immutable, and nothing changes the default value, which may be an object.

  /// The attribute's own name: of an element, the last part of its path.
  package let name: String
  /// The default value of new objects; nil for none.
  package let defaultValue: Any?
  /// The class of values that a transformable attribute takes; nil for any.
  package let valueClassName: String?
  /// The registered name of the value transformer; nil for the default one.
  package let transformerName: String?
  /// Whether large data may be stored in files next to the store.
  package let allowsExternalStorage: Bool
  /// Whether the history keeps the value of a deleted object, for itself or as part of a composite attribute.
  package let preservesValueOnDeletion: Bool
  /// Whether the store computes the value.
  package let isDerived: Bool
  /// The derivation of a derived attribute; nil for any other attribute.
  package let derivation: ExpressionNode?
  /// The name of the entity's attribute that the element is part of, directly or not; nil if it is not an element.
  let compositeName: String?
  /// The name of the entity that declares the attribute, for messages.
  package let entityName: String

  init(_ attribute: NSAttributeDescription, of composite: NSCompositeAttributeDescription? = nil) {
    name = attribute.name
    defaultValue = attribute.defaultValue
    valueClassName = attribute.attributeValueClassName
    transformerName = attribute.valueTransformerName
    allowsExternalStorage = attribute.allowsExternalBinaryDataStorage
    preservesValueOnDeletion =
      attribute.preservesValueInHistoryOnDeletion || composite?.preservesValueInHistoryOnDeletion == true
    isDerived = attribute is NSDerivedAttributeDescription
    derivation = (attribute as? NSDerivedAttributeDescription)?.derivation
    compositeName = composite?.name
    entityName = (composite ?? attribute).declaringEntity?.name ?? ""
  }
}
