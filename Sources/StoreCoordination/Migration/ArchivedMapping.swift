import Foundation
import StrataFormats
import StrataManagedModel
import StrataObjectGraph
import StrataPredicates
import StrataSupport

/// APPLE'S COMPILED MAPPING MODEL -> MAPPINGS: the keyed archive of an `NSMappingModel` that a `.cdm` file is.
///
///     NSMappingModel      NSEntityMappings
///     NSEntityMapping     NSMappingName, NSMappingType, NSSourceEntityName, NSSourceEntityVersionHash,
///                         NSDestinationEntityName, NSDestinationEntityVersionHash, NSSourceExpression,
///                         NSAttributeMappings, NSRelationshipMappings, NSEntityMigrationPolicyClassName, NSUserInfo
///     NSPropertyMapping   NSDestinationPropertyName, NSValueExpression, NSUserInfo
///
/// The keys are those of an archive that Apple's tools wrote.
struct ArchivedMapping {
  let archive: KeyedArchive
  let file: String

  /// - Parameter file: the archive's name in errors.
  init(_ bytes: [UInt8], file: String) throws(FileFormatError) {
    guard let archive = KeyedArchive(bytes) else {
      throw FileFormatError(file: file, "expected a keyed archive in a binary property list")
    }
    self.archive = archive
    self.file = file
  }

  func mappings() throws(FileFormatError) -> [NSEntityMapping] {
    guard let root = archive.object(archive.root), root.className == "NSMappingModel" else {
      throw FileFormatError(file: file, "expected the archive of an NSMappingModel")
    }
    var mappings: [NSEntityMapping] = []
    for member in root.members("NSEntityMappings") {
      guard let source = archive.object(member) else { continue }
      mappings.append(try entity(source))
    }
    try archive.refuseSpent(file: file)
    return mappings
  }

  /// Refuses unknown keys: ignoring one would lose what it says.
  private func check(_ source: ArchivedObject, knows known: Set<String>) throws(FileFormatError) {
    guard let strange = source.keys.first(where: { !known.contains($0) && source[$0] != nil }) else { return }
    throw FileFormatError(file: file, "the \(source.className) has '\(strange)', which is not known")
  }

  private static let entityKeys: Set<String> = [
    "NSMappingName", "NSMappingType", "NSSourceEntityName", "NSSourceEntityVersionHash", "NSDestinationEntityName",
    "NSDestinationEntityVersionHash", "NSSourceExpression", "NSAttributeMappings", "NSRelationshipMappings",
    "NSEntityMigrationPolicyClassName", "NSUserInfo",
  ]
  private static let propertyKeys: Set<String> = ["NSDestinationPropertyName", "NSValueExpression", "NSUserInfo"]

  private func entity(_ source: ArchivedObject) throws(FileFormatError) -> NSEntityMapping {
    try check(source, knows: Self.entityKeys)
    let mapping = NSEntityMapping()
    mapping.name = source.text("NSMappingName")
    let type = source.integer("NSMappingType").flatMap { UInt(exactly: $0) }
    mapping.mappingType = type.flatMap(NSEntityMappingType.init) ?? .undefinedEntityMappingType
    mapping.sourceEntityName = source.text("NSSourceEntityName")
    mapping.sourceEntityVersionHash = data(of: source, forKey: "NSSourceEntityVersionHash")
    mapping.destinationEntityName = source.text("NSDestinationEntityName")
    mapping.destinationEntityVersionHash = data(of: source, forKey: "NSDestinationEntityVersionHash")
    mapping.entityMigrationPolicyClassName = source.text("NSEntityMigrationPolicyClassName")
    mapping.userInfo = notes(source)
    let name = mapping.name ?? ""
    mapping.sourceExpression = try expression(source.object("NSSourceExpression"), of: name)
    mapping.attributeMappings = try properties(source, key: "NSAttributeMappings", of: name)
    mapping.relationshipMappings = try properties(source, key: "NSRelationshipMappings", of: name)
    return mapping
  }

  private func properties(
    _ source: ArchivedObject, key: String, of mapping: String
  ) throws(FileFormatError) -> [NSPropertyMapping] {
    var properties: [NSPropertyMapping] = []
    for member in source.members(key) {
      guard let object = archive.object(member) else { continue }
      try check(object, knows: Self.propertyKeys)
      let property = NSPropertyMapping()
      property.name = object.text("NSDestinationPropertyName")
      property.userInfo = notes(object)
      let place = "\(mapping).\(property.name ?? "")"
      property.valueExpression = try expression(object.object("NSValueExpression"), of: place)
      properties.append(property)
    }
    return properties
  }

  private func data(of source: ArchivedObject, forKey key: String) -> Data? {
    guard case .plain(.data(let data))? = source[key] else { return nil }
    return data
  }

  private func notes(_ source: ArchivedObject) -> [AnyHashable: Any]? {
    let notes = source.dictionary("NSUserInfo").compactMap { key, value in archive.constant(value).map { (key, $0) } }
    return notes.isEmpty ? nil : Dictionary(notes, uniquingKeysWith: { _, last in last })
  }

  /// nil without an expression. A fetch may only be the outermost expression.
  func expression(_ object: ArchivedObject?, of place: String) throws(FileFormatError) -> StrataPredicates.NSExpression?
  {
    guard let object else { return nil }
    do throws(ArchivedPredicate.Unreadable) {
      let reader = ArchivedPredicate(archive: archive)
      guard object.className == "NSFetchRequestExpression" else {
        return .expression(with: try reader.expression(object))
      }
      guard let request = object.object("NSFRExpression"), let context = object.object("NSMOCExpression") else {
        throw ArchivedPredicate.Unreadable(problem: "a fetch without a request or a context")
      }
      return NSFetchRequestExpression.expression(
        forFetch: .expression(with: try reader.expression(request)),
        context: .expression(with: try reader.expression(context)), countOnly: object.flag("NSCountOnlyFlag"))
    } catch {
      throw FileFormatError(file: file, "the expression of \(place) has \(error.problem)")
    }
  }
}
