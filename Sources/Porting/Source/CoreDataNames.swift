/// Names by which a source uses Core Data or Foundation.
enum CoreDataNames {
  /// Whether the word is a name that Core Data has on both platforms.
  static func isCoreData(_ word: String) -> Bool {
    guard word.utf8.starts(with: "NS".utf8) else { return false }
    return words.contains(word)
      || (prefixes.contains { word.utf8.starts(with: $0.utf8) } && !word.hasPrefix("NSPersistentCloudKit"))
  }

  private static let prefixes = [
    "NSManagedObject", "NSPersistentStore", "NSPersistentContainer", "NSPersistentHistory", "NSFetchRequest",
    "NSFetchedResultsController", "NSEntityMigration", "NSBatchDelete", "NSBatchInsert", "NSBatchUpdate",
    "NSMigratePersistentStores", "NSInferMapping", "NSAsynchronousFetch",
  ]

  private static let words: Set<String> = [
    "NSManaged", "NSEntityDescription", "NSAttributeDescription", "NSRelationshipDescription", "NSPropertyDescription",
    "NSDerivedAttributeDescription", "NSExpressionDescription", "NSFetchedPropertyDescription",
    "NSFetchIndexDescription", "NSFetchIndexElementDescription", "NSAttributeType", "NSDeleteRule", "NSMergePolicy",
    "NSMergeConflict", "NSConstraintConflict", "NSMappingModel", "NSEntityMapping", "NSPropertyMapping",
    "NSMigrationManager", "NSSQLiteStoreType", "NSInMemoryStoreType", "NSBinaryStoreType", "NSXMLStoreType",
    "NSIncrementalStore", "NSAtomicStore", "NSQueryGenerationToken", "NSSaveChangesRequest", "NSSQLitePragmasOption",
    "NSErrorMergePolicy", "NSMergeByPropertyObjectTrumpMergePolicy", "NSMergeByPropertyStoreTrumpMergePolicy",
    "NSOverwriteMergePolicy", "NSRollbackMergePolicy", "NSInsertedObjectsKey", "NSUpdatedObjectsKey",
    "NSDeletedObjectsKey", "NSRefreshedObjectsKey", "NSInvalidatedObjectsKey", "NSInvalidatedAllObjectsKey",
    "NSValidationKeyErrorKey", "NSValidationObjectErrorKey", "NSDetailedErrorsKey", "NSAffectedObjectsErrorKey",
    "NSCoreDataError", "NSLightweightMigrationStage", "NSCustomMigrationStage", "NSStagedMigrationManager",
    "NSCompositeAttributeDescription", "NSReadOnlyPersistentStoreOption", "NSSnapshotEventType",
  ]

  /// Names that Apple has in Foundation or in Swift, and the framework for Linux in Core Data.
  static let moved: Set<String> = [
    "NSExpression", "NSComparisonPredicate", "ValueTransformer", "UndoManager", "Selector", "autoreleasepool",
    "NSSecureUnarchiveFromDataTransformer", "NSKeyValueObservedChange", "NSKeyValueObservation",
    "NSKeyValueObservingOptions", "NSValueTransformerName",
  ]

  /// Names of Foundation, without those that other modules are likely to have too.
  static let foundation: Set<String> = [
    "Date", "Data", "URL", "UUID", "Decimal", "DateComponents", "DateFormatter", "DateInterval",
    "TimeZone", "TimeInterval", "IndexPath", "IndexSet", "CharacterSet", "NotificationCenter",
    "UserDefaults", "Bundle", "FileManager", "ProcessInfo", "JSONEncoder", "JSONDecoder", "JSONSerialization",
    "PropertyListEncoder", "PropertyListDecoder", "PropertyListSerialization", "NumberFormatter",
    "ISO8601DateFormatter", "ByteCountFormatter", "MeasurementFormatter", "PersonNameComponents",
    "OperationQueue", "RunLoop", "DispatchQueue", "DispatchGroup",
    "DispatchSemaphore", "DispatchTime", "DispatchWorkItem", "LocalizedError", "CustomNSError",
    "CocoaError", "URLComponents", "URLQueryItem", "AttributedString", "CGFloat", "CGRect", "CGPoint", "CGSize",
    "ComparisonResult", "FileHandle",
    "NSObject", "NSObjectProtocol", "NSString", "NSAttributedString",
    "NSMutableAttributedString", "NSNumber", "NSDecimalNumber", "NSDate", "NSData", "NSURL", "NSUUID", "NSError",
    "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet", "NSOrderedSet",
    "NSMutableOrderedSet", "NSCountedSet", "NSNull", "NSValue", "NSRange", "NSPredicate", "NSCompoundPredicate",
    "NSSortDescriptor", "NSLock", "NSRecursiveLock", "NSCondition", "NSCache", "NSCoder", "NSCoding", "NSCopying",
    "NSSecureCoding", "NSKeyedArchiver", "NSKeyedUnarchiver", "NSLog", "NSLocalizedString", "NSRegularExpression",
    "NSIndexSet", "NSIndexPath", "NSNotification", "NSTemporaryDirectory", "NSHomeDirectory", "NSTimeZone", "NSLocale",
    "NSCalendar", "NSDateComponents", "NSEnumerator", "NSFastEnumeration", "NSMutableString", "NSMutableData",
    "NSCocoaErrorDomain", "NSLocalizedDescriptionKey", "NSUnderlyingErrorKey", "NSNotFound", "NSStringFromClass",
    "NSClassFromString",
    "Measurement", "UnitAcceleration", "UnitAngle", "UnitArea", "UnitConcentrationMass", "UnitDispersion",
    "UnitDuration", "UnitElectricCharge", "UnitElectricCurrent", "UnitElectricPotentialDifference",
    "UnitElectricResistance", "UnitEnergy", "UnitFrequency", "UnitFuelEfficiency", "UnitIlluminance",
    "UnitInformationStorage", "UnitLength", "UnitMass", "UnitPower", "UnitPressure", "UnitSpeed", "UnitTemperature",
    "UnitVolume", "UnitConverterLinear",
  ]

  /// Names that Apple has in Foundation, and Linux in FoundationNetworking.
  static let networking: Set<String> = [
    "URLSession", "URLRequest", "URLResponse", "HTTPURLResponse", "URLSessionConfiguration", "URLSessionTask",
    "URLSessionDataTask", "URLCache", "URLCredential", "HTTPCookie", "HTTPCookieStorage", "URLProtocol",
    "NSMutableURLRequest", "URLSessionDelegate", "URLSessionTaskDelegate", "URLSessionDataDelegate",
    "URLAuthenticationChallenge", "URLSessionDownloadTask", "URLSessionDownloadDelegate", "URLSessionUploadTask",
    "URLSessionStreamTask", "URLSessionWebSocketTask", "URLProtectionSpace", "URLCredentialStorage",
    "CachedURLResponse",
  ]

  /// Names that Apple has in Foundation, and Linux in FoundationXML.
  static let xml: Set<String> = ["XMLParser", "XMLParserDelegate"]
}
