import CoreData
import Foundation
import Testing

/// All symbols of properties and indexes.
@Suite struct PropertiesAPI {
  @Test func isThere() {
    use(
      "property|NSPropertyDescription|entity",
      \NSPropertyDescription.entity as KeyPath<NSPropertyDescription, NSEntityDescription>)
    use(
      "property|NSPropertyDescription|isIndexedBySpotlight",
      \NSPropertyDescription.isIndexedBySpotlight as ReferenceWritableKeyPath<NSPropertyDescription, Bool>)
    use(
      "property|NSPropertyDescription|isOptional",
      \NSPropertyDescription.isOptional as ReferenceWritableKeyPath<NSPropertyDescription, Bool>)
    use(
      "property|NSPropertyDescription|isTransient",
      \NSPropertyDescription.isTransient as ReferenceWritableKeyPath<NSPropertyDescription, Bool>)
    use(
      "property|NSPropertyDescription|name",
      \NSPropertyDescription.name as ReferenceWritableKeyPath<NSPropertyDescription, String>)
    use(
      "property|NSPropertyDescription|renamingIdentifier",
      \NSPropertyDescription.renamingIdentifier as ReferenceWritableKeyPath<NSPropertyDescription, String?>)
    use(
      "method|NSPropertyDescription|setValidationPredicates(_:withValidationWarnings:)",
      NSPropertyDescription.setValidationPredicates(_:withValidationWarnings:)
        as (NSPropertyDescription) -> ([NSPredicate]?, [String]?) -> Void)
    use(
      "property|NSPropertyDescription|userInfo",
      \NSPropertyDescription.userInfo as ReferenceWritableKeyPath<NSPropertyDescription, [AnyHashable: Any]?>)
    use(
      "property|NSPropertyDescription|validationPredicates",
      \NSPropertyDescription.validationPredicates as KeyPath<NSPropertyDescription, [NSPredicate]>)
    use(
      "property|NSPropertyDescription|validationWarnings",
      \NSPropertyDescription.validationWarnings as KeyPath<NSPropertyDescription, [Any]>)
    use(
      "property|NSPropertyDescription|versionHash",
      \NSPropertyDescription.versionHash as KeyPath<NSPropertyDescription, Data>)
    use(
      "property|NSPropertyDescription|versionHashModifier",
      \NSPropertyDescription.versionHashModifier as ReferenceWritableKeyPath<NSPropertyDescription, String?>)
    use("class||NSPropertyDescription", NSPropertyDescription.self)
    use("init|NSPropertyDescription|init()", NSPropertyDescription.init as () -> NSPropertyDescription)
    use("conformance|NSPropertyDescription|NSCoding", NSPropertyDescription.self as any NSCoding.Type)
    use("conformance|NSPropertyDescription|NSCopying", NSPropertyDescription.self as any NSCopying.Type)
    use(
      "property|NSFetchIndexDescription|elements",
      \NSFetchIndexDescription.elements
        as ReferenceWritableKeyPath<NSFetchIndexDescription, [NSFetchIndexElementDescription]>)
    use(
      "property|NSFetchIndexDescription|entity",
      \NSFetchIndexDescription.entity as KeyPath<NSFetchIndexDescription, NSEntityDescription?>)
    use(
      "init|NSFetchIndexDescription|init(name:elements:)",
      NSFetchIndexDescription.init(name:elements:)
        as (String, [NSFetchIndexElementDescription]?) -> NSFetchIndexDescription)
    use(
      "property|NSFetchIndexDescription|name",
      \NSFetchIndexDescription.name as ReferenceWritableKeyPath<NSFetchIndexDescription, String>)
    use(
      "property|NSFetchIndexDescription|partialIndexPredicate",
      \NSFetchIndexDescription.partialIndexPredicate as ReferenceWritableKeyPath<NSFetchIndexDescription, NSPredicate?>)
    use("class||NSFetchIndexDescription", NSFetchIndexDescription.self)
    use("conformance|NSFetchIndexDescription|NSCoding", NSFetchIndexDescription.self as any NSCoding.Type)
    use("conformance|NSFetchIndexDescription|NSCopying", NSFetchIndexDescription.self as any NSCopying.Type)
    use(
      "property|NSFetchIndexElementDescription|collationType",
      \NSFetchIndexElementDescription.collationType
        as ReferenceWritableKeyPath<NSFetchIndexElementDescription, NSFetchIndexElementType>)
    use(
      "property|NSFetchIndexElementDescription|indexDescription",
      \NSFetchIndexElementDescription.indexDescription
        as KeyPath<NSFetchIndexElementDescription, NSFetchIndexDescription?>)
    use(
      "init|NSFetchIndexElementDescription|init(property:collationType:)",
      NSFetchIndexElementDescription.init(property:collationType:)
        as (NSPropertyDescription, NSFetchIndexElementType) -> NSFetchIndexElementDescription)
    use(
      "property|NSFetchIndexElementDescription|isAscending",
      \NSFetchIndexElementDescription.isAscending as ReferenceWritableKeyPath<NSFetchIndexElementDescription, Bool>)
    use(
      "property|NSFetchIndexElementDescription|property",
      \NSFetchIndexElementDescription.property as KeyPath<NSFetchIndexElementDescription, NSPropertyDescription?>)
    use(
      "property|NSFetchIndexElementDescription|propertyName",
      \NSFetchIndexElementDescription.propertyName as KeyPath<NSFetchIndexElementDescription, String?>)
    use("class||NSFetchIndexElementDescription", NSFetchIndexElementDescription.self)
    use(
      "conformance|NSFetchIndexElementDescription|NSCoding", NSFetchIndexElementDescription.self as any NSCoding.Type)
    use(
      "conformance|NSFetchIndexElementDescription|NSCopying", NSFetchIndexElementDescription.self as any NSCopying.Type)
    use(
      "property|NSDerivedAttributeDescription|derivationExpression",
      \NSDerivedAttributeDescription.derivationExpression
        as ReferenceWritableKeyPath<NSDerivedAttributeDescription, NSExpression?>)
    use("class||NSDerivedAttributeDescription", NSDerivedAttributeDescription.self)
    use(
      "init|NSDerivedAttributeDescription|init()",
      NSDerivedAttributeDescription.init as () -> NSDerivedAttributeDescription)
    use(
      "property|NSCompositeAttributeDescription|elements",
      \NSCompositeAttributeDescription.elements
        as ReferenceWritableKeyPath<NSCompositeAttributeDescription, [NSAttributeDescription]>)
    use("class||NSCompositeAttributeDescription", NSCompositeAttributeDescription.self)
    use(
      "init|NSCompositeAttributeDescription|init()",
      NSCompositeAttributeDescription.init as () -> NSCompositeAttributeDescription)
  }

  @available(*, deprecated)
  @Test func isThereUnderItsOldNames() {
    use(
      "property|NSPropertyDescription|isStoredInExternalRecord",
      \NSPropertyDescription.isStoredInExternalRecord as ReferenceWritableKeyPath<NSPropertyDescription, Bool>)
  }
}
