import Foundation

/// An attribute that holds several named values.
///
/// Its value is a dictionary of the elements that are not nil, or nil if all of them are. See <doc:AskingForObjects>
/// and <https://developer.apple.com/documentation/coredata/nscompositeattributedescription>
///
/// ```swift
/// let richter = NSAttributeDescription()
/// richter.name = "richter"
/// richter.type = .double
/// let magnitude = NSCompositeAttributeDescription()
/// magnitude.name = "magnitude"
/// magnitude.elements = [richter]
/// quakeEntity.properties.append(magnitude)  // Not the element.
/// ```
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The elements: attributes, possibly composite ones, that belong to no entity.
  public var elements: [NSAttributeDescription] {
    get { givenElements }
    set { edit(&givenElements, to: newValue) }
  }
  private var givenElements: [NSAttributeDescription] = []

  /// The default values of the elements by name; nil if none has one. Setting it sets the elements' defaults.
  public override var defaultValue: Any? {
    get {
      let values = elements.compactMap { element in element.defaultValue.map { (element.name, $0) } }
      return values.isEmpty ? nil : Dictionary(values, uniquingKeysWith: { _, last in last })
    }
    set {
      willEdit()
      let values = newValue as? [String: Any] ?? [:]
      for element in elements { element.defaultValue = values[element.name] }
    }
  }

  /// Creates a composite attribute without elements.
  public override init() {
    super.init()
    attributeType = .compositeAttributeType
  }

  /// Creates a composite attribute from an archive made by this framework; nil for any other archive.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  func freeze() {
    for element in elements {
      element.isFrozenElement = true
      (element as? NSCompositeAttributeDescription)?.freeze()
    }
  }

  override func thaw() {
    for element in elements where element.isFrozenElement {
      element.isFrozenElement = false
      element.thaw()
    }
  }

  package override func makeCopy() -> NSPropertyDescription {
    let copy = NSCompositeAttributeDescription()
    copy.copyContents(from: self)
    return copy
  }

  package override func hasSameContent(as other: NSPropertyDescription) -> Bool {
    guard let other = other as? NSCompositeAttributeDescription else { return false }
    return super.hasSameContent(as: other) && elements == other.elements
  }

  package override func copyContents(from other: NSPropertyDescription) {
    // Elements first, because the default values are theirs. A copy of an attribute is an attribute.
    if let other = other as? NSCompositeAttributeDescription {
      elements = other.elements.compactMap { $0.makeCopy() as? NSAttributeDescription }
    }
    super.copyContents(from: other)
  }
}

/// Elements by their paths from an entity: `magnitude.richter`.
extension NSEntityDescription {
  /// Returns the property at a path: one of the entity's, or an element of a composite attribute.
  package func property(at path: String) -> NSPropertyDescription? {
    // Not `propertiesByName`, which would be made for each element of each index while the model is read.
    guard path.utf8.contains(UInt8(ascii: ".")) else { return properties.last { $0.name == path } }
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let first = names.first.flatMap { name in properties.last { $0.name == name } }
    return names.dropFirst().reduce(first) { property, name in
      (property as? NSCompositeAttributeDescription)?.elements.first { $0.name == name }
    }
  }

  /// Returns the path of a property. For an expression that is a path, it is the path of its target; a property that
  /// belongs neither to the entity nor to one of its attributes has its own name.
  package func path(of property: NSPropertyDescription) -> String {
    if let path = (property as? NSExpressionDescription)?.path { return path }
    guard property.declaringEntity == nil else { return property.name }
    for case let composite as NSCompositeAttributeDescription in properties {
      if let path = composite.path(of: property) { return path }
    }
    return property.name
  }
}

extension NSCompositeAttributeDescription {
  fileprivate func path(of property: NSPropertyDescription) -> String? {
    for element in elements {
      if element === property { return "\(name).\(element.name)" }
      if let path = (element as? NSCompositeAttributeDescription)?.path(of: property) { return "\(name).\(path)" }
    }
    return nil
  }
}

extension NSExpressionDescription {
  /// The key path that the expression consists of; nil for any other expression.
  fileprivate var path: String? {
    guard case .keyPath(let path)? = try? expression?.node else { return nil }
    return path.joined(separator: ".")
  }
}

extension NSFetchIndexElementDescription {
  /// The path of the indexed property from the index's entity: `magnitude.richter`.
  package var path: String? {
    property.map { indexDescription?.entity?.path(of: $0) ?? $0.name }
  }
}
