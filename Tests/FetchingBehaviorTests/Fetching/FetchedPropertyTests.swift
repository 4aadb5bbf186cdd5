import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Fetched properties.
@MainActor @Suite struct FetchedPropertyTests {
  private func context(_ store: Store) throws -> NSManagedObjectContext {
    let model = try #require(Quakes.model.copy() as? NSManagedObjectModel)
    let region = try #require(model.entitiesByName["Region"])
    let property = NSFetchedPropertyDescription()
    property.name = "strongQuakes"
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Quake")
    request.predicate = NSPredicate(format: "place == $FETCH_SOURCE.name AND magnitude >= 5")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    property.fetchRequest = request
    let others = NSFetchedPropertyDescription()
    others.name = "members"
    let mine = NSFetchRequest<any NSFetchRequestResult>(entityName: "Quake")
    mine.predicate = NSPredicate(format: "region == $FETCH_SOURCE")
    others.fetchRequest = mine
    let noted = NSFetchedPropertyDescription()
    noted.name = "noted"
    let places = NSFetchRequest<any NSFetchRequestResult>(entityName: "Quake")
    places.predicate = NSPredicate(format: "place == $FETCHED_PROPERTY.userInfo.place")
    (noted.fetchRequest, noted.userInfo) = (places, ["place": "Nowhere"])
    region.properties += [property, others, noted]
    let context = try store.container(of: model).viewContext
    let tonga = context.insert("Region", ["name": "Tonga"])
    for (code, magnitude, place) in [("b", 6.0, "Tonga"), ("a", 5.0, "Tonga"), ("c", 4.0, "Tonga"), ("d", 7.0, "Fiji")]
    {
      context.insert("Quake", ["code": code, "magnitude": magnitude, "place": place])
        .setValue(code == "d" ? tonga : nil, forKey: "region")
    }
    try context.save()
    return context
  }

  private func codes(_ value: Any?) -> [String] {
    (value as? [NSManagedObject] ?? []).compactMap { $0.value(forKey: "code") as? String }
  }

  @Test(arguments: Store.every)
  func `the fetch source is the object itself`(_ store: Store) throws {
    let context = try context(store)
    let tonga = try #require(try context.fetch("Region").first)
    #expect(codes(tonga.value(forKey: "strongQuakes")) == ["a", "b"])
    #expect(codes(tonga.value(forKey: "members")) == ["d"])
    #expect(!tonga.hasChanges && !context.hasChanges)
  }

  @Test(arguments: Store.every)
  func `a fetched property keeps its result until a refresh`(_ store: Store) throws {
    let context = try context(store)
    let tonga = try #require(try context.fetch("Region").first)
    #expect(codes(tonga.value(forKey: "strongQuakes")) == ["a", "b"])
    _ = context.insert("Quake", ["code": "e", "magnitude": 9.0, "place": "Tonga"])
    #expect(codes(tonga.value(forKey: "strongQuakes")) == ["a", "b"])
    context.refresh(tonga, mergeChanges: true)
    #expect(codes(tonga.value(forKey: "strongQuakes")) == ["a", "b", "e"])
    try context.save()
    #expect(codes(tonga.value(forKey: "strongQuakes")) == ["a", "b", "e"])
    let first = try #require(try context.fetch("Quake", "code == 'a'").first)
    first.setValue("Fiji", forKey: "place")
    context.refresh(tonga, mergeChanges: false)
    #expect(tonga.isFault)
    #expect(codes(tonga.value(forKey: "strongQuakes")) == ["b", "e"])
  }

  @Test(arguments: Store.every)
  func `the user info of a property in use can change`(_ store: Store) throws {
    let context = try context(store)
    let tonga = try #require(try context.fetch("Region").first)
    let property = try #require(tonga.entity.propertiesByName["noted"])
    #expect(codes(tonga.value(forKey: "noted")) == [])
    property.userInfo?["place"] = "Fiji"
    context.refresh(tonga, mergeChanges: true)
    #expect(codes(tonga.value(forKey: "noted")) == ["d"])
  }

  @Test(arguments: Store.every)
  func `a child context fetches its own objects`(_ store: Store) throws {
    let context = try context(store)
    let child = context.child()
    let tonga = try #require(try child.fetch("Region").first)
    let found = try #require(tonga.value(forKey: "strongQuakes") as? [NSManagedObject])
    #expect(codes(found) == ["a", "b"])
    let areOwn = found.allSatisfy { $0.managedObjectContext === child }
    #expect(areOwn)
  }

  @Test(
    arguments: Store.every,
    [
      "place == $FETCHED_PROPERTY.userInfo.place", "place IN $FETCHED_PROPERTY.userInfo.places",
      "place == $FETCH_SOURCE.name AND magnitude >= $FETCHED_PROPERTY.userInfo.least",
      "$FETCHED_PROPERTY.name == 'found' AND place == $FETCH_SOURCE.name",
      "place == $FETCHED_PROPERTY.userInfo.deep.place AND $FETCHED_PROPERTY.userInfo.nothing == nil",
      "place == $FETCH_SOURCE.name AND $FETCH_SOURCE.quakes.@count == 1",
      "ANY $FETCH_SOURCE.quakes.magnitude > magnitude AND place == 'Tonga'",
      "place == $FETCH_SOURCE.self.name AND NOT SELF IN $FETCH_SOURCE.quakes",
    ])
  func `fetched property variables can start key paths`(_ store: Store, _ format: String) throws {
    let model = try #require(Quakes.model.copy() as? NSManagedObjectModel)
    let region = try #require(model.entitiesByName["Region"])
    let property = NSFetchedPropertyDescription()
    property.name = "found"
    property.userInfo = [
      "place": "Tonga", "places": ["Tonga", "Samoa"], "least": 4, "deep": ["place": "Tonga"], 1: "one", "1": "another",
    ]
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Quake")
    request.predicate = NSPredicate(format: format)
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    property.fetchRequest = request
    region.properties += [property]
    let context = try store.container(of: model).viewContext
    let tonga = context.insert("Region", ["name": "Tonga"])
    for (code, magnitude, place) in [("a", 6.0, "Tonga"), ("b", 5.0, "Tonga"), ("d", 7.0, "Fiji")] {
      context.insert("Quake", ["code": code, "magnitude": magnitude, "place": place])
        .setValue(code == "d" ? tonga : nil, forKey: "region")
    }
    #expect(codes(tonga.value(forKey: "found")) == ["a", "b"])
    try context.save()
    context.refreshAllObjects()
    #expect(codes(tonga.value(forKey: "found")) == ["a", "b"])
  }

  @Test func `setting a fetched property stops the program`() async {
    await #expect(processExitsWith: .failure) {
      try await MainActor.run {
        let context = try FetchedPropertyTests().context(.memory)
        try context.fetch("Region").first?.setValue([], forKey: "strongQuakes")
      }
    }
  }

  @Test func `a copied description has its request`() throws {
    let model = try context(.memory).persistentStoreCoordinator?.managedObjectModel
    let copy = try #require(model?.copy() as? NSManagedObjectModel)
    let property = try #require(
      copy.entitiesByName["Region"]?.propertiesByName["strongQuakes"] as? NSFetchedPropertyDescription)
    #expect(property.fetchRequest?.entityName == "Quake" && property.fetchRequest?.predicate != nil)
  }

  @Test(arguments: Store.every)
  func `a predicate that the store cannot express is evaluated in memory`(_ store: Store) throws {
    let model = try #require(Quakes.model.copy() as? NSManagedObjectModel)
    let property = NSFetchedPropertyDescription()
    property.name = "longPlaces"
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Quake")
    request.predicate = NSPredicate(format: "place.length > $FETCH_SOURCE.name.length")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    (request.fetchLimit, request.fetchOffset) = (2, 1)
    property.fetchRequest = request
    try #require(model.entitiesByName["Region"]).properties.append(property)
    let context = try store.container(of: model).viewContext
    _ = context.insert("Region", ["name": "Fiji"])
    for (code, place) in [("a", "Tonga"), ("b", "Fiji"), ("c", "Samoa"), ("d", "Vanuatu"), ("e", "Tuvalu")] {
      _ = context.insert("Quake", ["code": code, "place": place])
    }
    try context.save()
    let fiji = try #require(try context.fetch("Region").first)
    #expect(codes(fiji.value(forKey: "longPlaces")) == ["c", "d"])
  }
}
