import StrataFormats
import StrataModelSource

/// Reports inconsistencies within a target's models and between them and its classes, each at its location.
///
/// A model may be in another target than its classes, and a class may serve a model built in code; so it reports only
/// clear mistakes.
struct ModelCheck {
  let models: [ModelSource]
  /// The `@NSManaged` properties in classes of the target.
  let properties: [DeclaredProperty]
  /// The members that classes of the target declare for key-value coding to call.
  let uncalled: [UncalledMember]
  let module: SourceModule
  /// The classes that may be meant by entities without a module in their class's name.
  let classes: ClassSearch
  /// The current version of each model, and an index of its entities.
  private let current: [(document: ModelDocument, index: EntityIndex)]

  init(
    models: [ModelSource], properties: [DeclaredProperty], uncalled: [UncalledMember] = [], module: SourceModule,
    classes: ClassSearch
  ) {
    (self.models, self.properties, self.uncalled) = (models, properties, uncalled)
    (self.module, self.classes) = (module, classes)
    current = models.map { ($0.current.document, EntityIndex($0.current.document)) }
  }

  var warnings: [ModelWarning] {
    models.flatMap(missingClasses) + current.flatMap { inverses($0, $1) } + properties.flatMap(warnings)
      + uncalled.compactMap(warning)
  }

  // MARK: Classes

  private func missingClasses(_ model: ModelSource) -> [ModelWarning] {
    model.current.document.entities.compactMap { entity in
      guard entity.hasClass, let name = entity.representedClassName, let absence = absence(of: name) else { return nil }
      let nearest = classes.nearest(to: entity.className, but: claimed)
      if absence == .fromPackage, nearest == nil { return nil }
      return ModelWarning(
        file: model.current.document.file, line: entity.line,
        "cannot find the class '\(entity.className)' of the entity \(entity.name) in the model \(model.name): "
          + (absence == .fromPackage ? "unless another package declares it, " : "")
          + "its objects will be instances of NSManagedObject" + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
    }
  }

  /// Where a class is not.
  private enum Absence {
    /// Anywhere in the program.
    case fromProgram
    /// In this package. A target of another package that depends on this one may declare it.
    case fromPackage
  }

  /// Returns nil if the class exists, or may exist in a module that the model names.
  private func absence(of name: String) -> Absence? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let last = parts.last else { return nil }
    // A leading dot stands for the target's module.
    if parts.count > 1, parts[0].isEmpty || parts[0] == module.name {
      return module.mentionsType(last) ? nil : .fromProgram
    }
    guard parts.count == 1, !module.mentionsType(last), !classes.beneath.contains(where: { $0.mentionsType(last) })
    else { return nil }
    if classes.isProgram { return .fromProgram }
    return classes.above().contains { $0.mentionsType(last) } ? nil : .fromPackage
  }

  /// The names of the classes that entities of the models have.
  private var claimed: Set<String> {
    Set(models.flatMap { [$0.current] + $0.older }.flatMap { $0.document.entities.map(\.className) })
  }

  // MARK: Relationships

  private func inverses(_ document: ModelDocument, _ index: EntityIndex) -> [ModelWarning] {
    document.entities.flatMap { entity in
      entity.relationships.compactMap { relationship in
        let name = "\(entity.name).\(relationship.property.name)"
        return problem(of: relationship, name, in: index).map {
          ModelWarning(file: document.file, line: relationship.property.line, $0)
        }
      }
    }
  }

  private func problem(
    of relationship: ModelDocument.Relationship, _ name: String, in index: EntityIndex
  ) -> String? {
    // Xcode's wording.
    guard let inverseName = relationship.inverseName else { return "\(name) should have an inverse" }
    let family = index.family(of: relationship.destinationName)
    guard let inverse = family.flatMap(\.relationships).first(where: { $0.property.name == inverseName }) else {
      return nil
    }
    if inverse.inverseName == relationship.property.name { return nil }
    let other = inverse.inverseName.map { "is \(inverse.destinationName).\($0)" } ?? "is not set"
    return "\(name) has the inverse \(relationship.destinationName).\(inverseName), whose own inverse \(other)"
  }

  // MARK: Properties

  private func warnings(_ declared: DeclaredProperty) -> [ModelWarning] {
    let uses = entities(of: declared.type)
    if uses.isEmpty { return [] }
    guard models.contains(where: { $0.hasProperty(declared.name) }) else {
      let names = uses.map(\.entity.name).joined(separator: ", ")
      return [
        warning(declared, text: "not a property of the entity \(names), nor of any other entity in the target's models")
      ]
    }
    return uses.compactMap { entity, index in
      problem(of: declared, entity.name, in: index).map { warning(declared, text: $0) }
    }
  }

  private func entities(of type: String) -> [(entity: ModelDocument.Entity, index: EntityIndex)] {
    current.flatMap { document, index in
      document.entities.filter { $0.representedClassName == type }.map { (entity: $0, index) }
    }
  }

  private func warning(_ member: UncalledMember) -> ModelWarning? {
    let isMeant = entities(of: member.type).contains { entity, index in
      guard let key = member.validatedKey else { return true }
      return index.family(of: entity.name).flatMap(\.propertyNames).contains { $0.capitalizedFirst == key }
    }
    guard isMeant else { return nil }
    return ModelWarning(
      file: member.file, line: member.line,
      "nothing calls '\(member.name)' without Objective-C: override \(member.replacement)")
  }

  private func warning(_ declared: DeclaredProperty, text: String) -> ModelWarning {
    ModelWarning(file: declared.file, line: declared.line, "'\(declared.name)' is \(text)")
  }

  private func problem(of declared: DeclaredProperty, _ entity: String, in index: EntityIndex) -> String? {
    let family = index.family(of: entity)
    if let attribute = family.flatMap(\.attributes).first(where: { $0.property.name == declared.name }) {
      guard !declared.content.fits(attribute.type) else { return nil }
      return "\(declared.spelling) here but \(attribute.type.modelName) in the entity \(entity)"
    }
    if let relationship = family.flatMap(\.relationships).first(where: { $0.property.name == declared.name }) {
      guard !declared.content.fits(isToMany: relationship.isToMany) else { return nil }
      let kind = relationship.isToMany ? "to-many" : "to-one"
      return "\(declared.spelling) here but a \(kind) relationship in the entity \(entity)"
    }
    return nil
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension ModelSource {
  /// Whether any entity of any version has a property of a name.
  fileprivate func hasProperty(_ name: String) -> Bool {
    ([current] + older).contains { version in
      version.document.entities.contains { $0.propertyNames.contains(name) }
    }
  }
}

extension PropertyContent {
  /// Whether Apple's framework generates accessors of this type for an attribute.
  fileprivate func fits(_ type: NSAttributeType) -> Bool {
    switch (self, type) {
    // Values of any class, including the program's own types.
    case (.any, _), (_, .transformableAttributeType), (_, .undefinedAttributeType), (_, .objectIDAttributeType): true
    case (_, .compositeAttributeType): true
    case (.integer("Int16"), .integer16AttributeType), (.integer("Int32"), .integer32AttributeType): true
    case (.integer("Int"), .integer64AttributeType), (.integer("Int64"), .integer64AttributeType): true
    case (.integer("Int16"), _), (.integer("Int32"), _), (.integer("Int"), _), (.integer("Int64"), _): false
    case (.integer, .integer16AttributeType), (.integer, .integer32AttributeType): true
    case (.integer, .integer64AttributeType): true
    case (.real("Double"), .doubleAttributeType), (.real("Double"), .dateAttributeType): true
    case (.real("Float"), .floatAttributeType), (.real("CGFloat"), .doubleAttributeType): true
    case (.boolean, .booleanAttributeType), (.text, .stringAttributeType), (.date, .dateAttributeType): true
    case (.data, .binaryDataAttributeType), (.uuid, .UUIDAttributeType), (.url, .URIAttributeType): true
    case (.decimal, .decimalAttributeType): true
    case (.number, _): type.isNumber
    default: false
    }
  }

  fileprivate func fits(isToMany: Bool) -> Bool {
    switch self {
    case .any: true
    case .one: !isToMany
    case .many: isToMany
    default: false
    }
  }
}

extension NSAttributeType {
  /// Whether values are numbers or truth values.
  var isNumber: Bool {
    switch self {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType: true
    case .doubleAttributeType, .floatAttributeType, .decimalAttributeType: true
    default: false
    }
  }

  /// The type's name in Xcode.
  fileprivate var modelName: String {
    switch self {
    case .integer16AttributeType: "Integer 16"
    case .integer32AttributeType: "Integer 32"
    case .integer64AttributeType: "Integer 64"
    case .doubleAttributeType: "Double"
    case .floatAttributeType: "Float"
    case .booleanAttributeType: "Boolean"
    case .decimalAttributeType: "Decimal"
    case .stringAttributeType: "String"
    case .dateAttributeType: "Date"
    case .binaryDataAttributeType: "Binary Data"
    case .UUIDAttributeType: "UUID"
    case .URIAttributeType: "URI"
    case .transformableAttributeType: "Transformable"
    case .objectIDAttributeType: "Object ID"
    case .compositeAttributeType: "Composite"
    case .undefinedAttributeType: "Undefined"
    }
  }
}
