import Foundation
import Predicates

/// BYTES -> MODEL.
struct ModelArchiveReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var texts: [String] = []
  private var entities: [NSEntityDescription] = []
  /// By what name a relationship's destination has its inverse.
  private var inverses: [(relationship: NSRelationshipDescription, name: String)] = []

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  mutating func read(into model: NSManagedObjectModel) throws(ModelArchiveError) {
    texts = try list { reader throws(ModelArchiveError) in
      try reader.take(try reader.number()) { String(decoding: $0, as: UTF8.self) }
    }
    model.versionIdentifiers = Set(
      try list { reader throws(ModelArchiveError) in AnyHashable(try reader.text() ?? "") })
    model.localizationDictionary = try optional { reader throws(ModelArchiveError) in
      try reader.dictionary() as? [String: String] ?? [:]
    }
    let count = try self.count()
    entities = (0..<count).map { _ in NSEntityDescription() }
    for entity in entities { try readHead(of: entity) }
    connectInverses()
    for entity in entities { try readTail(of: entity) }
    model.entities = entities
    for _ in 0..<(try self.count()) {
      let name = try text() ?? ""
      let members = try list { reader throws(ModelArchiveError) in try reader.entity() }
      model.setEntities(members, forConfigurationName: name)
    }
    for _ in 0..<(try self.count()) { model.fetchTemplates[try text() ?? ""] = try template() }
  }

  private mutating func readHead(of entity: NSEntityDescription) throws(ModelArchiveError) {
    entity.name = try text()
    entity.managedObjectClassName = try text()
    entity.isAbstract = try flags() & 1 != 0
    entity.renamingIdentifier = try text()
    entity.versionHashModifier = try text()
    entity.userInfo = try userInfo()
    entity.subentities = try list { reader throws(ModelArchiveError) in try reader.entity() }
    entity.properties = try list { reader throws(ModelArchiveError) in try reader.property() }
  }

  private func connectInverses() {
    for (relationship, name) in inverses {
      relationship.inverseRelationship =
        relationship.destinationEntity?.properties.last { $0.name == name } as? NSRelationshipDescription
    }
  }

  private mutating func readTail(of entity: NSEntityDescription) throws(ModelArchiveError) {
    entity.uniquenessConstraints = try list { reader throws(ModelArchiveError) in
      try reader.list { reader throws(ModelArchiveError) in try reader.text() ?? "" }
    }
    let indexCount = try count()
    guard indexCount > 0 else { return }
    let properties = entity.propertiesByName
    var indexes: [NSFetchIndexDescription] = []
    for _ in 0..<indexCount {
      let name = try text() ?? ""
      let predicate = try predicate()
      let elements = try list { reader throws(ModelArchiveError) in try reader.element(properties) }
      let index = NSFetchIndexDescription(name: name, elements: elements)
      index.partialIndexPredicate = predicate
      indexes.append(index)
    }
    entity.indexes = indexes
  }

  private mutating func element(
    _ properties: [String: NSPropertyDescription]
  ) throws(ModelArchiveError) -> NSFetchIndexElementDescription {
    let name = try text() ?? ""
    let flags = try flags()
    let property: NSPropertyDescription
    if flags & 4 != 0 {
      property = try indexedExpression(named: name)
    } else if let named = properties[name] {
      property = named
    } else {
      throw damage("an index of \(name), which is no property")
    }
    let element = NSFetchIndexElementDescription(property: property, collationType: flags & 2 != 0 ? .rTree : .binary)
    element.isAscending = flags & 1 != 0
    return element
  }
}

/// Properties.
extension ModelArchiveReader {
  private mutating func indexedExpression(named name: String) throws(ModelArchiveError) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = name
    description.expressionResultType =
      NSAttributeType(rawValue: UInt(bitPattern: try number())) ?? .undefinedAttributeType
    if let text = try text() { description.expression = .expression(with: try expression(text)) }
    return description
  }

  private mutating func property() throws(ModelArchiveError) -> NSPropertyDescription {
    guard let kind = ArchivedPropertyKind(rawValue: try flags()) else { throw damage("an unknown kind of property") }
    let property = kind.description
    property.name = try text() ?? ""
    let flags = try flags()
    property.isOptional = flags & 1 != 0
    property.isTransient = flags & 2 != 0
    property.isIndexedBySpotlight = flags & 4 != 0
    property.isStoredInExternalRecord = flags & 8 != 0
    property.renamingIdentifier = try text()
    property.versionHashModifier = try text()
    property.userInfo = try userInfo()
    let rules = try list { reader throws(ModelArchiveError) in (try reader.predicate(), try reader.constant() ?? "") }
    if !rules.isEmpty { property.setValidation(rules.compactMap(\.0), warnings: rules.map(\.1)) }
    switch property {
    case let attribute as NSAttributeDescription: try read(attribute)
    case let relationship as NSRelationshipDescription: try read(relationship)
    case let fetched as NSFetchedPropertyDescription:
      fetched.template = try optional { reader throws(ModelArchiveError) in try reader.template() }
    default: break
    }
    return property
  }

  private mutating func read(_ attribute: NSAttributeDescription) throws(ModelArchiveError) {
    guard let type = NSAttributeType(rawValue: UInt(bitPattern: try number())) else {
      throw damage("an unknown type of attribute")
    }
    attribute.attributeType = type
    attribute.attributeValueClassName = try text()
    attribute.valueTransformerName = try text()
    let flags = try flags()
    attribute.allowsExternalBinaryDataStorage = flags & 1 != 0
    attribute.preservesValueInHistoryOnDeletion = flags & 2 != 0
    attribute.allowsCloudEncryption = flags & 4 != 0
    attribute.defaultValue = try constant()
    if let derived = attribute as? NSDerivedAttributeDescription, let text = try text() {
      derived.givenDerivation = try expression(text)
    }
    if let composite = attribute as? NSCompositeAttributeDescription {
      composite.elements = try list { reader throws(ModelArchiveError) in
        guard let element = try reader.property() as? NSAttributeDescription else {
          throw reader.damage("an element of a composite that is no attribute")
        }
        return element
      }
    }
  }

  private mutating func read(_ relationship: NSRelationshipDescription) throws(ModelArchiveError) {
    relationship.destinationEntity = try entity()
    if let name = try text() { inverses.append((relationship, name)) }
    relationship.minCount = Int(try signed())
    relationship.maxCount = Int(try signed())
    relationship.deleteRule = NSDeleteRule(rawValue: UInt(bitPattern: try number())) ?? .nullifyDeleteRule
    relationship.isOrdered = try flags() & 1 != 0
  }

  private mutating func template() throws(ModelArchiveError) -> FetchTemplate {
    var template = FetchTemplate(entityName: try text())
    template.predicate = try predicate()
    template.havingPredicate = try predicate()
    template.sortDescriptors = try list { reader throws(ModelArchiveError) in try reader.sort() }
    template.fetchLimit = try number()
    template.fetchOffset = try number()
    template.fetchBatchSize = try number()
    template.resultType = UInt(bitPattern: try number())
    let flags = try flags()
    template.includesSubentities = flags & 1 != 0
    template.includesPropertyValues = flags & 2 != 0
    template.includesPendingChanges = flags & 4 != 0
    template.returnsObjectsAsFaults = flags & 8 != 0
    template.returnsDistinctResults = flags & 16 != 0
    template.propertiesToFetch = try names()
    template.propertiesToGroupBy = try names()
    template.relationshipKeyPathsForPrefetching = try names()
    return template
  }

  private mutating func names() throws(ModelArchiveError) -> [String]? {
    try optional { reader throws(ModelArchiveError) in
      try reader.list { reader throws(ModelArchiveError) in try reader.text() ?? "" }
    }
  }

  private mutating func sort() throws(ModelArchiveError) -> NSSortDescriptor {
    let (key, flags, selector) = (try text(), try flags(), try text() ?? "compare:")
    return NSSortDescriptor(key: key, ascending: flags & 1 != 0, selector: Selector(selector))
  }
}

/// Values.
extension ModelArchiveReader {
  private func damage(_ what: String) -> ModelArchiveError {
    ModelArchiveError("the embedded model is damaged: \(what) at byte \(position - bytes.startIndex)")
  }

  private mutating func take<Value>(
    _ count: Int, _ read: (ArraySlice<UInt8>) -> Value
  ) throws(ModelArchiveError) -> Value {
    guard count >= 0, count <= bytes.endIndex - position else { throw damage("it is cut off") }
    defer { position += count }
    return read(bytes[position..<position + count])
  }

  private mutating func flags() throws(ModelArchiveError) -> UInt8 {
    guard position < bytes.endIndex else { throw damage("it is cut off") }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func number() throws(ModelArchiveError) -> Int {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte = try flags()
      value |= UInt64(byte & 127) << shift
      if byte < 128 { return Int(Int64(bitPattern: value)) }
      shift += 7
    }
  }

  private mutating func signed() throws(ModelArchiveError) -> Int64 {
    let zigzag = UInt64(bitPattern: Int64(try number()))
    return Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
  }

  /// A number of things to come, each of which takes a byte at least.
  private mutating func count() throws(ModelArchiveError) -> Int {
    let count = try number()
    guard count >= 0, count <= bytes.endIndex - position else { throw damage("too many things") }
    return count
  }

  private mutating func text() throws(ModelArchiveError) -> String? {
    let number = try number()
    guard number > 0 else { return nil }
    guard number <= texts.count else { throw damage("a text that is not there") }
    return texts[number - 1]
  }

  private mutating func entity() throws(ModelArchiveError) -> NSEntityDescription {
    let number = try number()
    guard entities.indices.contains(number) else { throw damage("an entity that is not there") }
    return entities[number]
  }

  private mutating func list<Member>(
    _ read: (inout ModelArchiveReader) throws(ModelArchiveError) -> Member
  ) throws(ModelArchiveError) -> [Member] {
    let count = try self.count()
    var members: [Member] = []
    members.reserveCapacity(count)
    for _ in 0..<count { members.append(try read(&self)) }
    return members
  }

  private mutating func optional<Value>(
    _ read: (inout ModelArchiveReader) throws(ModelArchiveError) -> Value
  ) throws(ModelArchiveError) -> Value? {
    try flags() == 0 ? nil : try read(&self)
  }

  private mutating func predicate() throws(ModelArchiveError) -> NSPredicate? {
    guard let text = try text() else { return nil }
    return .predicate(with: try tree(text))
  }

  private func tree(_ text: String) throws(ModelArchiveError) -> PredicateNode {
    do throws(PredicateSyntaxError) {
      return try PredicateReader.tree(text)
    } catch {
      throw damage("\(error)")
    }
  }

  private func expression(_ text: String) throws(ModelArchiveError) -> ExpressionNode {
    do throws(PredicateSyntaxError) {
      return try PredicateReader.expression(text)
    } catch {
      throw damage("\(error)")
    }
  }

  private mutating func userInfo() throws(ModelArchiveError) -> [AnyHashable: Any]? {
    try optional { reader throws(ModelArchiveError) in try reader.dictionary() }
  }

  private mutating func dictionary() throws(ModelArchiveError) -> [String: Any] {
    var entries: [String: Any] = [:]
    for _ in 0..<(try self.count()) { entries[try text() ?? ""] = try constant() }
    return entries
  }

  private mutating func constant() throws(ModelArchiveError) -> Any? {
    guard let kind = ArchivedConstantKind(rawValue: try flags()) else { throw damage("an unknown kind of value") }
    switch kind {
    case .null: return nil
    case .no: return NSNumber(value: false)
    case .yes: return NSNumber(value: true)
    case .integer: return NSNumber(value: try signed())
    case .double: return NSNumber(value: Double(bitPattern: try bits()))
    case .float: return NSNumber(value: Float(bitPattern: UInt32(truncatingIfNeeded: try bits())))
    case .decimal: return try text().flatMap { Decimal(string: $0) }.map(NSDecimalNumber.init(decimal:))
    case .text: return try text()
    case .date: return Date(timeIntervalSinceReferenceDate: Double(bitPattern: try bits()))
    case .data: return try take(try number()) { Data($0) }
    case .uuid: return try text().flatMap(UUID.init(uuidString:))
    case .url: return try text().flatMap(URL.init(string:))
    case .list: return try list { reader throws(ModelArchiveError) in try reader.constant() ?? NSNull() }
    case .dictionary: return try dictionary()
    }
  }

  private mutating func bits() throws(ModelArchiveError) -> UInt64 {
    try take(8) { $0.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
  }
}
