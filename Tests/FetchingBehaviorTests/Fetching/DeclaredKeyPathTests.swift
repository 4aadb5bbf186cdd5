import CoreData
import Foundation
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// Names of Swift key paths of classes that no model in these tests contains.
@Suite struct DeclaredKeyPathTests {
  @Test func `a key path has the name of its property`() {
    #expect((\Sail.title)._kvcKeyPathString == "title")
    #expect((\Sail.area)._kvcKeyPathString == "area")
    #expect((\Sail.count)._kvcKeyPathString == "count")
    #expect((\Sail.flag)._kvcKeyPathString == "flag")
    #expect((\Sail.price)._kvcKeyPathString == "price")
    #expect((\Sail.sewn)._kvcKeyPathString == "sewn")
    #expect((\Sail.info)._kvcKeyPathString == "info")
    #expect((\Sail.cut)._kvcKeyPathString == "cut")
    #expect((\Sail.cloth)._kvcKeyPathString == "cloth")
    #expect((\Sail.boat)._kvcKeyPathString == "boat")
    #expect((\Sail.owners)._kvcKeyPathString == "owners")
    #expect((\Sail.tags)._kvcKeyPathString == "tags")
    #expect((\Sail.objectID)._kvcKeyPathString == "self")
  }

  @Test func `a key path through a relationship has a dotted name`() {
    #expect((\Sail.boat?.name)._kvcKeyPathString == "boat.name")
    #expect((\Boat.main.boat?.main.title)._kvcKeyPathString == "main.boat.main.title")
  }

  @Test func `a computed property of a managed object has a name, other types have none`() {
    #expect((\Sail.loudTitle)._kvcKeyPathString == "loudTitle")
    #expect((\Sail.undeclared)._kvcKeyPathString == "undeclared")
    #expect((\String.count)._kvcKeyPathString == nil)
  }

  @Test func `looking up a name runs no getter`() {
    // Both getters would stop the program for an object without values.
    #expect((\Sail.crew[0].isEmpty)._kvcKeyPathString == nil)
    #expect((\Sail.firstCrew)._kvcKeyPathString == "firstCrew")
    #expect((\Boat.main.crew[0])._kvcKeyPathString == nil)
    #expect(NSSortDescriptor(keyPath: \Sail.crew[0].isEmpty, ascending: true).key == nil)
  }

  @Test func `a stored property of a managed class has its name`() {
    #expect((\Rudder.angle)._kvcKeyPathString == "angle")
    #expect((\Rudder.turns)._kvcKeyPathString == "turns")
    #expect((\Rudder.wood)._kvcKeyPathString == "wood")
    #expect((\Rudder.log)._kvcKeyPathString == "log")
    #expect((\Rudder.boat?.name)._kvcKeyPathString == "boat.name")
    #expect((\Jib.boat?.mainTitle)._kvcKeyPathString == "boat.mainTitle")
  }

  @Test func `a key path to the value itself is named self`() {
    #expect((\Double.self)._kvcKeyPathString == "self")
    #expect((\String?.self)._kvcKeyPathString == "self")
    #expect((\Sail.self)._kvcKeyPathString == "self")
  }

  @Test func `key paths of subclasses and nested classes have names`() {
    #expect((\Jib.title)._kvcKeyPathString == "title")
    #expect((\Jib.sheet)._kvcKeyPathString == "sheet")
    #expect((\Harbor.Berth.number)._kvcKeyPathString == "number")
  }

  @Test func `descriptors and expressions use the name of their key path`() throws {
    let sort = NSSortDescriptor(keyPath: \Sail.title, ascending: true)
    #expect(sort.key == "title" && sort.description == "(title, ascending, compare:)")
    #expect(NSExpression(forKeyPath: \Sail.boat).keyPath == "boat")
    #expect(NSExpression(forKeyPath: \Sail.boat?.name).keyPath == "boat.name")
    let predicate = NSPredicate(#Predicate<Sail> { $0.title == "Genoa" })
    #expect(predicate?.description == "title == \"Genoa\"")
    #expect(name(of: \Sail.title) == "title")
    #expect(name(ofAny: \Sail.title) == "title")
  }

  private func name<Root, Value>(of keyPath: KeyPath<Root, Value>) -> String? { keyPath._kvcKeyPathString }
  private func name(ofAny keyPath: AnyKeyPath) -> String? { keyPath._kvcKeyPathString }
}

enum Cut: String { case flat, full }
enum Cloth: Int16 { case dacron = 1, laminate }

class Sail: NSManagedObject {
  @NSManaged var title: String
  @NSManaged var area: Double
  @NSManaged var count: Int16
  @NSManaged var flag: Bool
  @NSManaged var price: NSDecimalNumber?
  @NSManaged var sewn: Date
  @NSManaged var info: [String: String]?
  @NSManaged var cut: Cut
  @NSManaged var cloth: Cloth
  @NSManaged var boat: Boat?
  @NSManaged var owners: NSSet?
  @NSManaged var tags: Set<Boat>

  var crew: [String] { title.split(separator: ",").map(String.init) }
  var firstCrew: String { crew[0] }
  var loudTitle: String { title.uppercased() }
  var undeclared: String? { value(forKey: "undeclared") as? String }
}

final class Jib: Sail {
  @NSManaged var sheet: Int32
}

/// A class with stored properties of all kinds, one of which key paths cannot refer to.
final class Rudder: NSManagedObject {
  @NSManaged var width: Double

  var angle = 0.5
  var turns: Int = 0 { didSet { lock.withLock { $0 += 1 } } }
  let wood: String = "oak"
  lazy var log: [String] = []
  weak var boat: Boat?
  let lock = Mutex(0)
}

final class Boat: NSManagedObject {
  @NSManaged var name: String?
  var mainTitle: String { main.title }
  @NSManaged var main: Sail
}

enum Harbor {
  final class Berth: NSManagedObject {
    @NSManaged var number: Int
  }
}
