import StrataManagedModel

// Attributes of models that tests make in code, for tests of the framework and of the targets below it alike.

/// An optional attribute without a default value.
public func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
  let attribute = NSAttributeDescription()
  (attribute.name, attribute.attributeType) = (name, type)
  return attribute
}

/// An optional attribute without a default value.
public func attribute(_ name: String, _ type: NSAttributeDescription.AttributeType) -> NSAttributeDescription {
  let attribute = NSAttributeDescription()
  (attribute.name, attribute.type) = (name, type)
  return attribute
}
