import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// The property names of Swift key paths.
@Suite struct KeyPathNameTests {
  @Test func `key paths have names for properties of every type`() throws {
    let container = try Store.memory.container(of: ShockModel.model)
    withExtendedLifetime(container) {
      let keyPaths: [(NSSortDescriptor, String)] = [
        (NSSortDescriptor(keyPath: \Shock.code, ascending: true), "code"),
        (NSSortDescriptor(keyPath: \Shock.magnitude, ascending: true), "magnitude"),
        (NSSortDescriptor(keyPath: \Shock.depth, ascending: true), "depth"),
        (NSSortDescriptor(keyPath: \Shock.felt, ascending: true), "felt"),
        (NSSortDescriptor(keyPath: \Shock.stations, ascending: true), "stations"),
        (NSSortDescriptor(keyPath: \Shock.gap, ascending: true), "gap"),
        (NSSortDescriptor(keyPath: \Shock.reviewed, ascending: true), "reviewed"),
        (NSSortDescriptor(keyPath: \Shock.wave, ascending: true), "wave"),
        (NSSortDescriptor(keyPath: \Shock.uuid, ascending: true), "uuid"),
        (NSSortDescriptor(keyPath: \Shock.page, ascending: true), "page"),
        (NSSortDescriptor(keyPath: \Shock.cost, ascending: true), "cost"),
        (NSSortDescriptor(keyPath: \Shock.region, ascending: true), "region"),
        (NSSortDescriptor(keyPath: \Shock.name, ascending: true), "name"),
        (NSSortDescriptor(keyPath: \Event.time, ascending: true), "time"),
        (NSSortDescriptor(keyPath: \Measured.gap, ascending: true), "gap"),
        (NSSortDescriptor(keyPath: \Shock.region?.name, ascending: true), "region.name"),
        (NSSortDescriptor(keyPath: \Shock.region?.people, ascending: true), "region.people"),
        (NSSortDescriptor(keyPath: \Shock.region!.name, ascending: true), "region.name"),
        (NSSortDescriptor(keyPath: \Shock.region?.parent?.parent?.name, ascending: true), "region.parent.parent.name"),
        (NSSortDescriptor(keyPath: \Mark.shock.region?.name, ascending: true), "shock.region.name"),
        (NSSortDescriptor(keyPath: \Mark.shock.reviewed, ascending: true), "shock.reviewed"),
        (NSSortDescriptor(keyPath: \Shock.alert, ascending: true), "alert"),
      ]
      for (descriptor, name) in keyPaths { #expect(descriptor.key == name) }
    }
  }

  @Test func `expressions accept key paths`() throws {
    let container = try Store.memory.container(of: ShockModel.model)
    withExtendedLifetime(container) {
      #expect(NSExpression(forKeyPath: \Shock.region?.name).keyPath == "region.name")
      #expect(NSExpression(forKeyPath: \Shock.depth).description == "depth")
    }
  }

  @Test func `a computed property has no name`() throws {
    let container = try Store.memory.container(of: ShockModel.model)
    withExtendedLifetime(container) {
      let descriptors = [
        NSSortDescriptor(keyPath: \Shock.isStrong, ascending: true),
        NSSortDescriptor(keyPath: \Shock.isUnseen, ascending: true),
        NSSortDescriptor(keyPath: \Shock.label, ascending: true),
        NSSortDescriptor(keyPath: \Shock.loudName, ascending: true),
        NSSortDescriptor(keyPath: \Shock.sureName, ascending: true),
        NSSortDescriptor(keyPath: \Shock.constant, ascending: true),
        NSSortDescriptor(keyPath: \Shock.name?.count, ascending: true),
        NSSortDescriptor(keyPath: \Shock.marks.count, ascending: true),
        NSSortDescriptor(keyPath: \Shock.marks.first?.name, ascending: true),
        NSSortDescriptor(keyPath: \Shock.isFault, ascending: true),
        NSSortDescriptor(keyPath: \Shock.home, ascending: true),
        NSSortDescriptor(keyPath: \Shock.home?.name, ascending: true),
        NSSortDescriptor(keyPath: \Shock.kind, ascending: true),
        NSSortDescriptor(keyPath: \Shock.color, ascending: true),
        NSSortDescriptor(keyPath: \Shock.codeLabel, ascending: true),
        NSSortDescriptor(keyPath: \Shock.signs, ascending: true),
      ]
      for descriptor in descriptors { #expect(descriptor.key == nil) }
    }
  }

  @Test func `a property computed from a raw value has no name`() throws {
    let container = try Store.memory.container(of: ShockModel.model)
    withExtendedLifetime(container) {
      let descriptors = [
        NSSortDescriptor(keyPath: \Shock.opposite, ascending: true),
        NSSortDescriptor(keyPath: \Shock.settled, ascending: true),
        NSSortDescriptor(keyPath: \Shock.sureKind, ascending: true),
        NSSortDescriptor(keyPath: \Shock.plainColor, ascending: true),
        NSSortDescriptor(keyPath: \Shock.loudLabel, ascending: true),
        NSSortDescriptor(keyPath: \Shock.shortLabel, ascending: true),
        NSSortDescriptor(keyPath: \Shock.unseenSigns, ascending: true),
        NSSortDescriptor(keyPath: \Shock.rank, ascending: true),
      ]
      for descriptor in descriptors { #expect(descriptor.key == nil) }
    }
  }

  /// The getter would stop the program for a number without a case, such as the zero of an object that has no value.
  @Test func `finding a name calls no getter`() throws {
    let entity = makeEntity("Team", of: Team.self, [attribute("size", .integer16, optional: false)])
    let container = try Store.memory.container(of: makeModel(entity))
    withExtendedLifetime(container) {
      #expect((\Team.crew)._kvcKeyPathString == "crew" && (\Team.size)._kvcKeyPathString == "size")
      #expect(NSSortDescriptor(keyPath: \Team.otherCrew, ascending: true).key == nil)
    }
  }

  /// For each key path, a fetch and a sort in memory with the same descriptor have the same order.
  @Test(arguments: Store.allCases) func `fetches sort by key paths`(_ store: Store) throws {
    let context = try ShockModel.context(store)
    try context.performAndWait { try sort(context) }
  }

  private func sort(_ context: NSManagedObjectContext) throws {
    let descriptors = [
      NSSortDescriptor(keyPath: \Shock.magnitude, ascending: false),
      NSSortDescriptor(keyPath: \Shock.reviewed, ascending: true),
      NSSortDescriptor(keyPath: \Shock.time, ascending: true),
      NSSortDescriptor(keyPath: \Shock.depth, ascending: false),
      NSSortDescriptor(keyPath: \Shock.region?.name, ascending: true),
      NSSortDescriptor(keyPath: \Shock.wave, ascending: true),
      NSSortDescriptor(keyPath: \Shock.region, ascending: true),
      NSSortDescriptor(SortDescriptor<Shock>(\.name, order: .reverse)),
      NSSortDescriptor(SortDescriptor<Shock>(\.felt)),
      NSSortDescriptor(SortDescriptor<Shock>(\.code, comparator: .lexical)),
    ]
    for descriptor in descriptors {
      let request = NSFetchRequest<Shock>(entityName: "Shock")
      request.sortDescriptors = [descriptor, NSSortDescriptor(keyPath: \Shock.code, ascending: true)]
      let found = try context.fetch(request)
      let sorted = found.shuffled().sorted { left, right in
        for descriptor in request.sortDescriptors ?? [] {
          let order = descriptor.compare(left, to: right)
          if order != .orderedSame { return order == .orderedAscending }
        }
        return false
      }
      #expect(found.map(\.code) == sorted.map(\.code), "\(descriptor)")
    }
  }

  @Test(arguments: Store.allCases) func `a fetch cannot sort by a computed property`(_ store: Store) throws {
    let context = try ShockModel.context(store)
    context.performAndWait {
      let request = NSFetchRequest<Shock>(entityName: "Shock")
      request.sortDescriptors = [NSSortDescriptor(keyPath: \Shock.label, ascending: true)]
      let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
      #expect(error?.code.rawValue == 134091)
      #expect(error.map { "\($0)" }?.contains("The entity 'Shock' has no property 'label'.") == true)
      request.sortDescriptors = [NSSortDescriptor(keyPath: \Shock.name, ascending: true) { _, _ in .orderedSame }]
      #expect(throws: CocoaError.self) { try context.fetch(request) }
    }
  }
}

/// A class with an enumeration that has no zero.
final class Team: NSManagedObject {
  enum Crew: Int16 { case small = 1, large = 2 }
  @NSManaged var size: Int16
  // swift-format-ignore: NeverForceUnwrap
  var crew: Crew { Crew(rawValue: size)! }
  // swift-format-ignore: NeverForceUnwrap
  var otherCrew: Crew { Crew(rawValue: 3 - size)! }
}
