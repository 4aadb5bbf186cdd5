import StrataFormats

/// The source of a model: the contents of an `.xcdatamodel` folder's `contents` file, with line numbers.
///
///     <model>                 entity*, composite*, fetchRequest*, configuration*, elements?
///       <entity>              attribute*, relationship*, fetchedProperty*, fetchIndex*, compoundIndexes?,
///                             uniquenessConstraints?, userInfo?
///       <composite>           attribute*
///       <configuration>       memberEntity*
///       <elements>            where boxes lie on the editor's canvas: passed over
///
/// Flags are `YES` or `NO`; a missing one is `NO`. ``ModelAssembly`` converts a document to the archive of a model; a code
/// generator reads here what a model does not contain: how an entity's class is generated and which numbers are scalars.
package struct ModelDocument {
  /// The name of the file in errors and warnings.
  package var file: String
  /// The version identifier for display; nil if the file has no identifier.
  package var versionIdentifier: String?
  /// `Swift` or `Objective-C`.
  package var sourceLanguage: String?
  package var isUsedWithCloudKit = false
  package var isUsedWithSwiftData = false
  package var entities: [Entity] = []
  package var composites: [Composite] = []
  package var fetchRequests: [FetchRequest] = []
  package var configurations: [Configuration] = []
  /// Unknown elements and attributes, and unusable values.
  package var warnings: [ModelWarning] = []

  package struct Entity {
    /// Starts at 1.
    package var line: Int
    package var name: String
    /// The class of the objects: `Name`, `Module.Name`, or `.Name` for the model's own module. nil means
    /// `NSManagedObject`.
    package var representedClassName: String?
    package var parentName: String?
    package var isAbstract = false
    package var isSyncable = false
    package var codeGeneration = CodeGeneration.manual
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var attributes: [Attribute] = []
    package var relationships: [Relationship] = []
    package var fetchedProperties: [FetchedProperty] = []
    package var fetchIndexes: [FetchIndex] = []
    /// The names in each compound index, as written by editors before Xcode 9.
    package var compoundIndexes: [[String]] = []
    package var uniquenessConstraints: [[String]] = []
    package var userInfo: [String: String] = [:]
    /// The name of an object in the system's search.
    package var spotlightDisplayName: String?
  }

  /// The author of an entity's class: the program or the compiler.
  package enum CodeGeneration: String, Sendable {
    /// The program, by hand.
    case manual
    /// The build: class and properties.
    case `class`
    /// The build writes the properties, the program the class.
    case category
  }

  /// The fields that attributes, relationships and fetched properties have.
  package struct Property {
    package var line: Int
    package var name: String
    package var isOptional = false
    package var isTransient = false
    package var isSyncable = false
    /// Whether it has an index of its own, as written by editors before Xcode 9.
    package var isIndexed = false
    package var isIndexedBySpotlight = false
    package var isStoredInTruthFile = false
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var userInfo: [String: String] = [:]
  }

  package struct Attribute {
    package var property: Property
    package var type: NSAttributeType = .undefinedAttributeType
    /// Whether generated code uses a Swift number instead of an `NSNumber`, or a `Date` instead of seconds.
    package var usesScalarValueType = false
    package var defaultText: String?
    /// Seconds since 2001-01-01 00:00 UTC.
    package var defaultSeconds: Double?
    /// The minimum; for a string, the minimum length.
    package var minimumText: String?
    package var minimumSeconds: Double?
    /// The maximum; for a string, the maximum length.
    package var maximumText: String?
    package var maximumSeconds: Double?
    package var pattern: String?
    package var valueTransformerName: String?
    /// The class or Swift type of a transformable value; a leading dot stands for the model's own module.
    package var customClassName: String?
    package var allowsExternalBinaryDataStorage = false
    package var preservesValueInHistoryOnDeletion = false
    package var allowsCloudEncryption = false
    package var isDerived = false
    package var derivationText: String?
    /// The name of the composite that defines the attribute's elements.
    package var compositeName: String?
  }

  package struct Relationship {
    package var property: Property
    package var isToMany = false
    package var minCount = 0
    /// 1 for a to-one relationship, 0 for an unbounded to-many.
    package var maxCount = 0
    package var isOrdered = false
    package var deleteRule = NSDeleteRule.nullifyDeleteRule
    package var destinationName: String
    package var inverseName: String?
  }

  package struct FetchedProperty {
    package var property: Property
    package var request: FetchRequest
  }

  package struct FetchRequest {
    package var line: Int
    package var name: String
    package var entityName: String
    package var predicateText: String?
    var options = FetchOptions()
  }

  /// The settings of a fetch request, without its predicate.
  struct FetchOptions {
    /// 0 for all.
    var fetchLimit = 0
    /// 0 for all.
    var fetchBatchSize = 0
    /// The raw value of `NSFetchRequestResultType`: 0 objects, 1 IDs, 2 dictionaries, 4 the count.
    var resultType = 0
    var includesSubentities = true
    var includesPropertyValues = true
    var includesPendingChanges = true
    var returnsObjectsAsFaults = true
    var returnsDistinctResults = false
  }

  package struct FetchIndex {
    package var line: Int
    package var name: String
    package var elements: [IndexElement] = []
    package var partialPredicateText: String?
  }

  package struct IndexElement {
    package var line: Int
    /// A property's name, `self` for the object's ID, `entity` for its entity.
    package var propertyName: String?
    package var expressionText: String?
    package var expressionType: NSAttributeType = .undefinedAttributeType
    package var collation = NSFetchIndexElementType.binary
    package var isAscending = true
  }

  package struct Composite {
    package var line: Int
    package var name: String
    package var attributes: [Attribute] = []
  }

  package struct Configuration {
    package var line: Int
    package var name: String
    package var memberNames: [String] = []
    package var isUsedWithCloudKit = false
  }
}
