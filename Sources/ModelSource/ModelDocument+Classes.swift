import StrataFormats

/// Documents for the generator of classes that are not read from a source: they have what classes depend on.
extension ModelDocument {
  package init(file: String, entities: [Entity]) {
    self.file = file
    self.entities = entities
  }
}

extension ModelDocument.Entity {
  package init(
    name: String, className: String?, parentName: String?, codeGeneration: ModelDocument.CodeGeneration
  ) {
    (line, self.name, representedClassName, self.parentName) = (0, name, className, parentName)
    self.codeGeneration = codeGeneration
  }
}

extension ModelDocument.Attribute {
  package init(name: String, type: NSAttributeType, usesScalarValueType: Bool, customClassName: String?) {
    property = ModelDocument.Property(line: 0, name: name)
    (self.type, self.usesScalarValueType) = (type, usesScalarValueType)
    self.customClassName = customClassName
  }
}

extension ModelDocument.Relationship {
  package init(name: String, isToMany: Bool, isOrdered: Bool, destinationName: String) {
    property = ModelDocument.Property(line: 0, name: name)
    (self.isToMany, self.isOrdered, self.destinationName) = (isToMany, isOrdered, destinationName)
  }
}

extension ModelDocument.FetchedProperty {
  package init(name: String, entityName: String) {
    property = ModelDocument.Property(line: 0, name: name)
    request = ModelDocument.FetchRequest(line: 0, name: name, entityName: entityName)
  }
}
