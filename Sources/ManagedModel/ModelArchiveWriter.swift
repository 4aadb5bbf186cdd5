import Foundation
import Predicates

/// MODEL -> BYTES.
struct ModelArchiveWriter {
  private var bytes: [UInt8] = []
  private var texts: [String] = []
  private var textNumbers: [String: Int] = [:]
  private var entityNumbers: [ObjectIdentifier: Int] = [:]
  private var place = "the model"

  /// The texts, and then what was written.
  var body: [UInt8] {
    var head = ModelArchiveWriter()
    head.number(texts.count)
    for text in texts {
      head.number(text.utf8.count)
      head.bytes += Array(text.utf8)
    }
    return head.bytes + bytes
  }

  mutating func write(_ model: NSManagedObjectModel) throws(ModelArchiveError) {
    let entities = model.entities
    for (number, entity) in entities.enumerated() { entityNumbers[ObjectIdentifier(entity)] = number }
    list(model.versionIdentifiers.compactMap { $0.base as? String }.sorted()) { $0.text($1) }
    try optional(model.localizationDictionary) { writer, texts throws(ModelArchiveError) in
      try writer.dictionary(texts)
    }
    number(entities.count)
    for entity in entities { try head(of: entity) }
    for entity in entities { try tail(of: entity) }
    list(model.configurations) { writer, name in
      writer.text(name)
      writer.list(model.entities(forConfigurationName: name) ?? []) { $0.entity($1) }
    }
    number(model.fetchTemplates.count)
    for (name, template) in model.fetchTemplates.sorted(by: { $0.key < $1.key }) {
      place = "the fetch request \(name)"
      text(name)
      try self.template(template)
    }
  }

  private mutating func head(of entity: NSEntityDescription) throws(ModelArchiveError) {
    place = entity.name ?? ""
    text(entity.name)
    text(entity.managedObjectClassName)
    flags([entity.isAbstract])
    text(entity.renamingIdentifier == entity.name ? nil : entity.renamingIdentifier)
    text(entity.versionHashModifier)
    try userInfo(entity.userInfo)
    list(entity.subentities) { $0.entity($1) }
    number(entity.ownProperties.count)
    for property in entity.ownProperties {
      place = "\(entity.name ?? "").\(property.name)"
      try self.property(property)
    }
  }

  private mutating func tail(of entity: NSEntityDescription) throws(ModelArchiveError) {
    place = entity.name ?? ""
    list(entity.uniqueNames) { writer, names in writer.list(names) { $0.text($1) } }
    number(entity.indexes.count)
    for index in entity.indexes {
      text(index.name)
      try predicate(index.partialIndexPredicate)
      list(index.elements) { writer, element in
        writer.text(element.propertyName)
        let expression = element.property as? NSExpressionDescription
        writer.flags([element.isAscending, element.collationType == .rTree, expression != nil])
        guard let expression else { return }
        writer.number(Int(expression.expressionResultType.rawValue))
        writer.text(expression.expression.map(String.init(describing:)))
      }
    }
  }
}

/// Properties.
extension ModelArchiveWriter {
  private mutating func property(_ property: NSPropertyDescription) throws(ModelArchiveError) {
    let kind = try ArchivedPropertyKind(property)
    bytes.append(kind.rawValue)
    text(property.name)
    flags([
      property.isOptional, property.isTransient, property.isIndexedBySpotlight, property.isStoredInExternalRecord,
    ])
    text(property.renamingIdentifier == property.name ? nil : property.renamingIdentifier)
    text(property.versionHashModifier)
    try userInfo(property.userInfo)
    number(property.validationPredicates.count)
    for (rule, warning) in zip(property.validationPredicates, property.validationWarnings) {
      try predicate(rule)
      try constant(warning)
    }
    switch property {
    case let attribute as NSAttributeDescription: try self.attribute(attribute)
    case let relationship as NSRelationshipDescription: try self.relationship(relationship)
    case let fetched as NSFetchedPropertyDescription:
      try optional(fetched.template) { writer, template throws(ModelArchiveError) in try writer.template(template) }
    default: break
    }
  }

  private mutating func attribute(_ attribute: NSAttributeDescription) throws(ModelArchiveError) {
    number(Int(attribute.attributeType.rawValue))
    text(attribute.attributeValueClassName)
    text(attribute.valueTransformerName)
    flags([
      attribute.allowsExternalBinaryDataStorage, attribute.preservesValueInHistoryOnDeletion,
      attribute.allowsCloudEncryption,
    ])
    try constant(attribute.defaultValue)
    if let derived = attribute as? NSDerivedAttributeDescription { text(derived.givenDerivation?.description) }
    if let composite = attribute as? NSCompositeAttributeDescription {
      number(composite.elements.count)
      for element in composite.elements { try property(element) }
    }
  }

  private mutating func relationship(_ relationship: NSRelationshipDescription) throws(ModelArchiveError) {
    guard let destination = relationship.destinationEntity, entityNumbers[ObjectIdentifier(destination)] != nil else {
      throw ModelArchiveError("\(place) leads to no entity of the model")
    }
    entity(destination)
    text(relationship.inverseRelationship?.name)
    signed(Int64(relationship.minCount))
    signed(Int64(relationship.maxCount))
    number(Int(relationship.deleteRule.rawValue))
    flags([relationship.isOrdered])
  }

  private mutating func template(_ template: FetchTemplate) throws(ModelArchiveError) {
    text(template.entityName)
    try predicate(template.predicate)
    try predicate(template.havingPredicate)
    number(template.sortDescriptors.count)
    for descriptor in template.sortDescriptors { try sort(descriptor) }
    for value in [template.fetchLimit, template.fetchOffset, template.fetchBatchSize, Int(template.resultType)] {
      number(value)
    }
    flags([
      template.includesSubentities, template.includesPropertyValues, template.includesPendingChanges,
      template.returnsObjectsAsFaults, template.returnsDistinctResults,
    ])
    for names in [
      template.propertiesToFetch, template.propertiesToGroupBy, template.relationshipKeyPathsForPrefetching,
    ] {
      optional(names) { writer, names in writer.list(names) { $0.text($1) } }
    }
  }

  private mutating func sort(_ descriptor: NSSortDescriptor) throws(ModelArchiveError) {
    guard let sort = try? descriptor.fetchable else {
      throw ModelArchiveError("\(place) is sorted by \(descriptor), which has no text")
    }
    text(sort.keyPath.joined(separator: "."))
    flags([sort.isAscending])
    text(sort.comparison.selector.description)
  }
}

/// Values.
extension ModelArchiveWriter {
  private mutating func number(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number))
    while rest >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func signed(_ value: Int64) { number(Int(value << 1 ^ value >> 63)) }

  private mutating func text(_ text: String?) {
    guard let text else { return number(0) }
    if textNumbers[text] == nil {
      texts.append(text)
      textNumbers[text] = texts.count
    }
    number(textNumbers[text] ?? 0)
  }

  private mutating func flags(_ flags: [Bool]) {
    bytes.append(flags.enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) })
  }

  private mutating func entity(_ entity: NSEntityDescription) { number(entityNumbers[ObjectIdentifier(entity)] ?? 0) }

  private mutating func list<Member>(
    _ members: [Member], _ write: (inout ModelArchiveWriter, Member) -> Void
  ) {
    number(members.count)
    for member in members { write(&self, member) }
  }

  private mutating func optional<Value, Failure: Error>(
    _ value: Value?, _ write: (inout ModelArchiveWriter, Value) throws(Failure) -> Void
  ) throws(Failure) {
    bytes.append(value == nil ? 0 : 1)
    if let value { try write(&self, value) }
  }

  private mutating func predicate(_ predicate: NSPredicate?) throws(ModelArchiveError) {
    guard let predicate else { return text(nil) }
    guard let tree = try? predicate.tree else {
      throw ModelArchiveError("\(place) has the predicate \(predicate), which has no text")
    }
    text(tree.description)
  }

  private mutating func userInfo(_ userInfo: [AnyHashable: Any]?) throws(ModelArchiveError) {
    try optional(userInfo) { writer, entries throws(ModelArchiveError) in
      var texts: [String: Any] = [:]
      for (key, value) in entries {
        guard let key = key.base as? String else {
          throw ModelArchiveError("\(writer.place) has the key \(key) in its user info, which is no text")
        }
        texts[key] = value
      }
      try writer.dictionary(texts)
    }
  }

  private mutating func dictionary(_ entries: [String: Any]) throws(ModelArchiveError) {
    number(entries.count)
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
      text(key)
      try constant(value)
    }
  }

  private mutating func constant(_ value: Any?) throws(ModelArchiveError) {
    if let entries = value as? [String: Any] {
      bytes.append(ArchivedConstantKind.dictionary.rawValue)
      return try dictionary(entries)
    }
    if let number = value as? NSNumber, !(number is NSDecimalNumber), number.objCType.pointee == Self.floatType {
      bytes.append(ArchivedConstantKind.float.rawValue)
      return bits(UInt64(number.floatValue.bitPattern))
    }
    guard let constant = PredicateValue(argument: value) else { throw unreadable(value) }
    try self.constant(constant)
  }

  private static let floatType = CChar(bitPattern: UInt8(ascii: "f"))

  private func unreadable(_ value: Any?) -> ModelArchiveError {
    ModelArchiveError("\(place) has the value \(value.map { "\($0)" } ?? "nil"), which an archive cannot keep")
  }

  private mutating func constant(_ value: PredicateValue) throws(ModelArchiveError) {
    bytes.append(try kind(of: value).rawValue)
    switch value {
    case .null, .bool: break
    case .integer(let integer): signed(integer)
    case .real(let real): bits(real.bitPattern)
    case .decimal(let decimal): text(decimal.description)
    case .string(let string): text(string)
    case .date(let date): bits(date.timeIntervalSinceReferenceDate.bitPattern)
    case .data(let data):
      number(data.count)
      bytes += Array(data)
    case .uuid(let uuid): text(uuid.uuidString)
    case .url(let url): text(url.absoluteString)
    case .list(let values):
      number(values.count)
      for value in values { try constant(value) }
    case .reference, .row: break
    }
  }

  private func kind(of value: PredicateValue) throws(ModelArchiveError) -> ArchivedConstantKind {
    switch value {
    case .null: .null
    case .bool(let flag): flag ? .yes : .no
    case .integer: .integer
    case .real: .double
    case .decimal: .decimal
    case .string: .text
    case .date: .date
    case .data: .data
    case .uuid: .uuid
    case .url: .url
    case .list: .list
    case .reference, .row: throw unreadable(value)
    }
  }

  private mutating func bits(_ bits: UInt64) {
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
  }
}

/// The kinds of properties, by their number in an archive.
enum ArchivedPropertyKind: UInt8 {
  case attribute, derived, composite, relationship, fetched

  init(_ property: NSPropertyDescription) throws(ModelArchiveError) {
    switch property {
    case is NSDerivedAttributeDescription: self = .derived
    case is NSCompositeAttributeDescription: self = .composite
    case is NSAttributeDescription: self = .attribute
    case is NSRelationshipDescription: self = .relationship
    case is NSFetchedPropertyDescription: self = .fetched
    default: throw ModelArchiveError("\(property.name) is of the class \(type(of: property)), which is no property")
    }
  }

  var description: NSPropertyDescription {
    switch self {
    case .attribute: NSAttributeDescription()
    case .derived: NSDerivedAttributeDescription()
    case .composite: NSCompositeAttributeDescription()
    case .relationship: NSRelationshipDescription()
    case .fetched: NSFetchedPropertyDescription()
    }
  }
}
