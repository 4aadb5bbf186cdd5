/// The rows of missing symbols, and why they are missing.
let missingAPI: [String: String] = [
  "conformance|NSFetchRequest|NSCoding":
    "What Apple's framework puts into such an archive is not known, and nothing reads one.",
  "type-method|NSManagedObjectContext|new()":
    "Objective-C's way to say init().",
  "conformance|NSManagedObjectContext|NSCoding":
    "What Apple's framework puts into such an archive is not known, and nothing reads one.",
  "case|NSManagedObjectContextConcurrencyType|confinementConcurrencyType":
    "A context has a queue here; the compiler says so and names the kinds of queue.",
  "property|NSEntityDescription|compoundIndexes":
    "Unavailable: `indexes` says the same and more.",
  "property|NSEntityDescription|coreSpotlightDisplayNameExpression":
    "It is for Spotlight, which is not on Linux.",
  "type-method|NSPersistentStoreCoordinator|metadataForPersistentStore(ofType:at:)":
    "Deprecated since long: the form with options says the same.",
  "type-method|NSPersistentStoreCoordinator|metadataForPersistentStore(with:)":
    "Deprecated since long: the form with options says the same.",
  "type-method|NSPersistentStoreCoordinator|setMetadata(_:forPersistentStoreOfType:at:)":
    "Deprecated since long: the form with options says the same.",
  "method|NSPersistentStoreCoordinator|__managedObjectID(fromUTF8String:length:)":
    "The Objective-C form of managedObjectID(for:).",
  "method|NSIncrementalStore|managedObjectContextDidRegisterObjects(with:)":
    "Unavailable: contexts do not tell stores which objects they have.",
  "method|NSIncrementalStore|managedObjectContextDidUnregisterObjects(with:)":
    "Unavailable: contexts do not tell stores which objects they have.",
  "type-property|NSPersistentContainer|defaultDirectoryURL":
    "A class has no property of the name of its function, which programs override.",
  "metadata-key||NSPersistentStoreOSCompatibility":
    "What Apple's framework puts there is for its own versions.",
]
