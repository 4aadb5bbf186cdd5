// The declarations that the examples of the documentation assume: a program with a model of earthquakes. They are compiled,
// but never run. The article on porting declares the aliases of NSExpression and NSComparisonPredicate.

import CoreData
import Observation

class Quake: NSManagedObject {
  @NSManaged var magnitude: Double
  @NSManaged var depth: Double
  @NSManaged var place: String
  @NSManaged var time: Date
  @NSManaged var region: Region?
  @NSManaged var tags: Set<Tag>
}

class Region: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var quakes: Set<Quake>
}

// As the plugin generates them, with Book.isbn and Book.revision, which the article on web services adds.
public class Author: NSManagedObject {}

extension Author {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Author> { NSFetchRequest(entityName: "Author") }

  @NSManaged public var name: String?
  @NSManaged public var books: NSSet?

  @NSManaged public func addToBooks(_ value: Book)
}

public class Book: NSManagedObject {}

extension Book {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Book> { NSFetchRequest(entityName: "Book") }

  @NSManaged public var author: Author?
  @NSManaged public var isbn: String?
  @NSManaged public var pages: Int32
  @NSManaged public var revision: Int64
  @NSManaged public var tags: NSSet?
  @NSManaged public var title: String?

  @NSManaged public func addToTags(_ value: Tag)
}

public class Tag: NSManagedObject {}

extension Tag {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Tag> { NSFetchRequest(entityName: "Tag") }

  @NSManaged public var books: NSSet?
  @NSManaged public var name: String?
}

final class Person {
  var name = ""
}

class Watcher: NSObject {
  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
  ) {}
}

extension Bundle {
  static var module: Bundle { .main }
}

enum Genre: String { case novel, essay }

actor SearchIndex {
  func update(_ ids: Set<NSManagedObjectID>) {}
  func update(_ changes: [NSPersistentHistoryChange]) throws {}
  func remove(_ ids: Set<NSManagedObjectID>) {}
}

struct Service {
  func keys(of entity: String, matching predicate: NSPredicate?) throws -> [Int] { [] }
  func values(of key: Any) throws -> [String: Any] { [:] }
}

final class ListDelegate: NSObject, NSFetchedResultsControllerDelegate {}

/// The article on testing shows this class and the function below.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws { url = FileManager.default.temporaryDirectory }
}

func eventually(isolation: isolated (any Actor)? = #isolation, _ condition: () throws -> Bool) async rethrows -> Bool {
  try condition()
}

final class SampleStore: NSAtomicStore, @unchecked Sendable {}

func nodes(from list: Any) -> Set<NSAtomicStoreCacheNode> { [] }
func propertyList(from nodes: Set<NSAtomicStoreCacheNode>) -> [Any] { [] }
func show(_ values: Any?...) {}
func redrawSoon() {}

let model = NSManagedObjectModel()
let (oldModel, newModel) = (NSManagedObjectModel(), NSManagedObjectModel())
let (checksum1, checksum2, checksum3) = ("", "", "")
let url = URL(fileURLWithPath: "/tmp/Quakes.sqlite")
let (oldURL, newURL) = (url, url)
let container = NSPersistentContainer(name: "Quakes", managedObjectModel: model)
let coordinator = container.persistentStoreCoordinator
let store = coordinator.persistentStores[0]
let context = container.newBackgroundContext()
let otherContext = container.newBackgroundContext()
let viewContext = container.viewContext
let quakeEntity = NSEntityDescription()
let regionEntity = NSEntityDescription()
let tagID = NSManagedObjectID()
let index = SearchIndex()
let service = Service()

// Examples use these on the queue that they belong to.
nonisolated(unsafe) let quake = Quake(context: context)
nonisolated(unsafe) let region = Region(context: context)
nonisolated(unsafe) let book = Book(context: context)
nonisolated(unsafe) let person = Person()
nonisolated(unsafe) let request = Book.fetchRequest()
nonisolated(unsafe) let description = NSPersistentStoreDescription()
nonisolated(unsafe) let entityMapping = NSEntityMapping()
nonisolated(unsafe) let manager = NSMigrationManager(sourceModel: model, destinationModel: model)
nonisolated(unsafe) let controller = NSFetchedResultsController(
  fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
nonisolated(unsafe) let listDelegate = ListDelegate()
nonisolated(unsafe) var observation: NSKeyValueObservation?
nonisolated(unsafe) var lastToken: NSPersistentHistoryToken?
