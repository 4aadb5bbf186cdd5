// The statements of the article on porting about the compiler: the lines that it rejects on Linux, and those that it warns
// about, each with a comment that expects this. All other lines compile without a warning. Verified with the option -verify.

import CoreData

// MARK: Objective-C

@objc(Poem)  // expected-error{{Objective-C interoperability is disabled}}
class Poem: NSManagedObject {
  @NSManaged var title: String?
  @NSManaged var lines: NSOrderedSet?
  @NSManaged var authors: NSSet?
  @nonobjc class func fetchRequest() -> NSFetchRequest<Poem> { NSFetchRequest<Poem>(entityName: "Poem") }

  func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
  class func keyPathsForValuesAffectingTitle() -> Set<String> { [] }
  override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {}
  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }
}

extension Poem {
  @objc(addAuthorsObject:)  // expected-error{{Objective-C interoperability is disabled}}
  @NSManaged func addToAuthors(_ value: Poem)
  #if canImport(ObjectiveC)
  @objc(removeAuthorsObject:)
  #endif
  @NSManaged func removeFromAuthors(_ value: Poem)
  @NSManaged func addToAuthors(_ values: NSSet)
  @NSManaged func removeFromAuthors(_ values: NSSet)
}

extension Poem {
  @NSManaged func insertIntoLines(_ value: Poem, at idx: Int)
  @NSManaged func removeFromLines(at idx: Int)
  @NSManaged func insertIntoLines(_ values: [Poem], at indexes: NSIndexSet)
  @NSManaged func removeFromLines(at indexes: NSIndexSet)
  @NSManaged func replaceLines(at idx: Int, with value: Poem)
  @NSManaged func replaceLines(at indexes: NSIndexSet, with values: [Poem])
  @NSManaged func addToLines(_ value: Poem)
  @NSManaged func removeFromLines(_ value: Poem)
  @NSManaged func addToLines(_ values: NSOrderedSet)
  @NSManaged func removeFromLines(_ values: NSOrderedSet)
}

extension Poem: Identifiable {}

extension Poem {
  override func willSave() {}  // expected-error{{cannot be overridden from extension}}
}

@objcMembers final class Members: NSObject {}  // expected-error{{Objective-C interoperability is disabled}}

class Target: NSObject {
  @objc func reload() {}  // expected-error{{Objective-C interoperability is disabled}}
  dynamic var count = 1
}

@objc protocol Observer {}  // expected-error{{Objective-C interoperability is disabled}}

func objectiveC(_ poem: Poem, _ target: Target) {
  _ = #keyPath(Poem.title)  // expected-error{{'#keyPath' can only be used with the Objective-C runtime}}
  _ = #selector(Target.reload)  // expected-error{{'#selector' can only be used with the Objective-C runtime}}
  _ = NSSortDescriptor(key: "title", ascending: true, selector: Selector("localizedStandardCompare:"))
  _ = NSSortDescriptor(keyPath: \Poem.title, ascending: true)
  _ = poem.responds(to: Selector("title"))  // expected-error{{value of type 'Poem' has no member 'responds'}}
  let object: AnyObject = poem
  _ = object.isKind(of: NSNull.self)  // expected-error{{value of type 'AnyObject' has no member 'isKind'}}
  _ = object is NSNull
  autoreleasepool {}
  let lines: NSOrderedSet = [poem]
  let authors: NSSet = [poem]  // expected-error{{cannot convert value of type '[Poem]' to specified type 'NSSet'}}
  _ = (lines, authors, NSSet(array: [poem]))
  withVaList([1]) {
    _ = NSPredicate(format: "felt > %d", arguments: $0)  // expected-error{{'init(format:arguments:)' has been renamed}}
  }
  _ = NSPredicate(format: "felt > %d", argumentArray: [1])
  _ = Foundation.ValueTransformer.self  // expected-error{{module 'Foundation' has no member named 'ValueTransformer'}}
  _ = ValueTransformer.self
  _ = NSException.self  // expected-error{{cannot find 'NSException' in scope}}
  let center = NotificationCenter.default
  _ = center.addObserver(forName: .NSManagedObjectContextDidSave, object: nil, queue: nil) { _ in }
  _ = center.notifications(named: .NSManagedObjectContextDidSave)
  // expected-error@+1{{has no member 'publisher'}} expected-error@+1{{cannot infer}}
  _ = center.publisher(for: .NSManagedObjectContextDidSave)
}

// MARK: Subclasses

final class DoubleContext: NSManagedObjectContext, @unchecked Sendable {
  override func save() throws {}
  override var hasChanges: Bool { true }
  override func perform(_ block: @escaping () -> Void) { super.perform(block) }
  // expected-error@+1{{method does not override any method from its superclass}}
  override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] { [] }
}

final class DoublePoem: NSManagedObject {
  override var objectID: NSManagedObjectID { super.objectID }  // expected-error{{overriding non-open property}}
  // expected-error@+1{{cannot be overridden}} expected-error@+1{{overriding non-open instance method}}
  override func didChangeValue(forKey key: String) {}
}

final class DoubleContainer: NSPersistentContainer, @unchecked Sendable {
  override var viewContext: NSManagedObjectContext { super.viewContext }
  override func newBackgroundContext() -> NSManagedObjectContext { super.newBackgroundContext() }
}

// MARK: Key-value observing

final class Observing: NSObject {
  var observation: NSKeyValueObservation?

  func observe(_ poem: Poem, _ context: NSManagedObjectContext) {
    observation = poem.observe(\.title, options: [.new]) { _, _ in }
    poem.addObserver(self, forKeyPath: "title", options: .new, context: nil)
    // expected-error@+1{{has no member 'observe'}} expected-error@+1{{cannot infer}}
    observation = context.observe(\.hasChanges) { _, _ in }
  }
}

extension Observing: NSKeyValueObserving {
  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
  ) {}
}

final class Lists: NSObject, NSFetchedResultsControllerDelegate {
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {}
  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {}
}

// MARK: Requests

func requests(_ context: NSManagedObjectContext) throws {
  let poems: NSFetchRequest<Poem> = Poem.fetchRequest()
  _ = poems as! NSFetchRequest<NSFetchRequestResult>  // expected-warning{{always fails}}
  // expected-error@+1{{cannot convert value}} expected-note@+1{{to be equal}}
  _ = poems as NSFetchRequest<NSFetchRequestResult>
  _ = NSBatchDeleteRequest(fetchRequest: poems)
  _ = NSBatchDeleteRequest(fetchRequest: Poem.fetchRequest())
  let any: NSFetchRequest<NSFetchRequestResult> = Poem.fetchRequest()
  _ = NSBatchDeleteRequest(fetchRequest: any)
  for request in [poems, Poem.fetchRequest()] {
    _ = NSFetchedResultsController<NSFetchRequestResult>(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
  }
  _ = NSFetchedResultsController<NSFetchRequestResult>(
    fetchRequest: Poem.fetchRequest(), managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
  _ = NSFetchRequest<NSDictionary>(entityName: "Poem")
  _ = NSFetchRequest<NSManagedObjectID>(entityName: "Poem")
  try context.execute(NSBatchDeleteRequest(fetchRequest: any))
  NSEntityDescription.insertNewObject(forEntityName: "Poem", into: context)
}

func errors(_ context: NSManagedObjectContext) {
  do { try context.save() } catch let error as NSError {
    fatalError("Unresolved error \(error), \(error.userInfo)")
  }
}

// MARK: Values

func values(_ poem: Poem) {
  poem.authors = NSSet(set: poem.authors as? Set<Poem> ?? [])
  poem.authors = (poem.authors as? Set<Poem> ?? []) as NSSet
  _ = poem.value(forKey: "title") as? String
  _ = NSPredicate(format: "time < %@ AND poem IN %@ AND lines == %d", Date() as NSDate, ["a"], 3)
  let url = Bundle.main.url(forResource: "Poems", withExtension: "momd")!
  _ = NSManagedObjectModel(contentsOf: url)
  _ = NSManagedObjectModel.mergedModel(from: [Bundle(for: Target.self)])
  _ = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.poems")
}

// MARK: Threads

func threads(_ context: NSManagedObjectContext) {
  dispatchPrecondition(condition: .onQueue(.main))
  DispatchQueue.main.async { try? context.save() }
  RunLoop.main.run()
}

// expected-warning@+1{{must restate inherited '@unchecked Sendable' conformance}}
class Container: NSPersistentContainer {}

func needsSendable<T: Sendable>(_: T.Type) {}

func sendable() {
  needsSendable(NSManagedObjectID.self)
  // expected-error@+1{{conformance of 'NSManagedObject' to 'Sendable' is unavailable}}
  needsSendable(NSManagedObject.self)
}

// MARK: Frameworks

#if canImport(SwiftUI) || canImport(Combine) || canImport(os)
#error("one of these frameworks is here")
#endif
#if !canImport(CoreData) || canImport(ObjectiveC)
#error("the article says otherwise")
#endif

func cloud(_ description: NSPersistentStoreDescription) {
  _ = NSPersistentCloudKitContainer(name: "Poems")  // expected-error{{CloudKit is a service for Apple's systems}}
  description.cloudKitContainerOptions = nil  // expected-error{{CloudKit is a service for Apple's systems}}
  _ = NSCoreDataCoreSpotlightDelegate.self  // expected-error{{Core Spotlight is the index of Apple's systems}}
}

func names(_ coordinator: NSPersistentStoreCoordinator, _ entity: NSEntityDescription, _ name: NSAttributeDescription) {
  _ = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)  // expected-error{{A context has a queue}}
  _ = NSManagedObjectContext()  // expected-warning{{Use -initWithConcurrencyType: instead}}
  _ = entity.compoundIndexes  // expected-error{{is unavailable}}
  _ = name.isIndexed  // expected-warning{{Use NSEntityDescription.indexes instead}}
  _ = NSPersistentStoreUbiquitousContentNameKey  // expected-error{{iCloud document stores were discontinued}}
}
