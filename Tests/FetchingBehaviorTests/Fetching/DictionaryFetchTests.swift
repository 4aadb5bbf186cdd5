import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Dictionary fetches: columns, rows and order.
@MainActor @Suite struct DictionaryFetchTests {
  private func filled(_ store: Store) throws -> NSManagedObjectContext {
    let context = try store.container().viewContext
    let tonga = context.insert("Region", ["name": "Tonga"])
    let chile = context.insert("Region", ["name": "Chile"])
    for (code, magnitude, place, region) in [
      ("a", 4.5, "ridge", tonga), ("b", 6.5, "coast", chile), ("c", 5.0, "ridge", tonga), ("d", 5.5, "coast", tonga),
    ] {
      context.insert("Quake", ["code": code, "magnitude": magnitude, "place": place, "felt": 3])
        .setValue(region, forKey: "region")
    }
    _ = context.insert("Quake", ["code": "e"])
    try context.save()
    return context
  }

  private func request(_ properties: [Any]?, sort: String? = "code") -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties
    request.sortDescriptors = sort.map { [NSSortDescriptor(key: $0, ascending: true)] }
    return request
  }

  @Test(arguments: Store.every)
  func `columns are the requested properties`(_ store: Store) throws {
    let context = try filled(store)
    let quake = try #require(Quakes.model.entitiesByName["Quake"])
    let code = try #require(quake.attributesByName["code"])
    let found = try context.fetch(request([code, "magnitude", "region.name"]))
    let expected: [NSDictionary] = [
      ["code": "a", "magnitude": 4.5, "region.name": "Tonga"], ["code": "b", "magnitude": 6.5, "region.name": "Chile"],
      ["code": "c", "magnitude": 5.0, "region.name": "Tonga"], ["code": "d", "magnitude": 5.5, "region.name": "Tonga"],
      // Nil values are absent.
      ["code": "e"],
    ]
    #expect(found == expected)
  }

  @Test(arguments: Store.every)
  func `a to-one relationship column contains the object ID`(_ store: Store) throws {
    let context = try filled(store)
    let quake = try #require(Quakes.model.entitiesByName["Quake"])
    let region = try #require(quake.relationshipsByName["region"])
    let found = try context.fetch(request(["objectID", region]))
    let objects = try context.fetch("Quake", sort: [NSSortDescriptor(key: "code", ascending: true)])
    #expect(found.map { $0["objectID"] as? NSManagedObjectID } == objects.map(\.objectID))
    let regions = objects.map { ($0.value(forKey: "region") as? NSManagedObject)?.objectID }
    #expect(found.map { $0["region"] as? NSManagedObjectID } == regions)
    #expect(found[4]["region"] == nil)
  }

  @Test(arguments: Store.every)
  func `every kind of value equals its key-value coding value`(_ store: Store) throws {
    let context = try store.container().viewContext
    let values: [String: Any] = [
      "code": "x", "magnitude": 2.5, "place": "", "time": Date(timeIntervalSinceReferenceDate: 1.5), "felt": 7,
      "reviewed": true, "wave": Data([1, 2]), "uuid": UUID(), "page": try #require(URL(string: "https://a.example/b")),
      "cost": NSDecimalNumber(string: "12.340"),
    ]
    let object = context.insert("Quake", values)
    try context.save()
    // Without a list of properties, all attributes are returned.
    let found = try #require(try context.fetch(request(nil)).first)
    #expect(Set(found.allKeys.compactMap { $0 as? String }) == Set(values.keys))
    for key in values.keys {
      let isSame = (found[key] as? NSObject)?.isEqual(object.value(forKey: key)) == true
      #expect(isSame, "\(key)")
    }
    #expect(found["felt"] as? Int == 7 && found["magnitude"] as? Double == 2.5 && found["reviewed"] as? Bool == true)
  }

  @Test(arguments: Store.every)
  func `results can be Swift or Foundation dictionaries`(_ store: Store) throws {
    let context = try filled(store)
    let swift = NSFetchRequest<[String: Any]>(entityName: "Quake")
    swift.resultType = .dictionaryResultType
    swift.propertiesToFetch = ["code"]
    swift.predicate = NSPredicate(format: "magnitude > 5")
    #expect(Set(try context.fetch(swift).compactMap { $0["code"] as? String }) == ["b", "d"])
    let any = NSFetchRequest<any NSFetchRequestResult>(entityName: "Quake")
    any.resultType = .dictionaryResultType
    any.propertiesToFetch = ["code"]
    #expect(try context.fetch(any).compactMap { ($0 as? NSDictionary)?["code"] as? String }.count == 5)
    #expect(try context.fetch(any).compactMap { ($0 as? [String: Any])?["code"] as? String }.count == 5)
  }

  @Test(arguments: Store.every)
  func `a dictionary fetch ignores unsaved changes`(_ store: Store) throws {
    let context = try filled(store)
    let quakes = try context.fetch("Quake", sort: [NSSortDescriptor(key: "code", ascending: true)])
    quakes[0].setValue("z", forKey: "code")
    context.delete(quakes[1])
    _ = context.insert("Quake", ["code": "f"])
    let codes = { try context.fetch(self.request(["code"])).compactMap { $0["code"] as? String } }
    #expect(try codes() == ["a", "b", "c", "d", "e"])
    #expect(try context.count(for: request(["code"])) == 5)
    let child = context.child()
    #expect(try child.fetch(request(["code"])).count == 5)
    try context.save()
    #expect(try codes() == ["c", "d", "e", "f", "z"])
  }

  @Test(arguments: Store.every)
  func `distinct results contain equal dictionaries once`(_ store: Store) throws {
    let context = try filled(store)
    let distinct = request(["place"], sort: "place")
    #expect(try context.fetch(distinct).count == 5)
    distinct.returnsDistinctResults = true
    #expect(try context.fetch(distinct) == [[:], ["place": "coast"], ["place": "ridge"]])
    #expect(try context.count(for: distinct) == 3)
    (distinct.fetchLimit, distinct.fetchOffset) = (1, 1)
    #expect(try context.fetch(distinct) == [["place": "coast"]])
  }

  @Test(arguments: Store.every)
  func `a count of members sums the rows of a group`(_ store: Store) throws {
    let context = try filled(store)
    for quake in try context.fetch("Quake", "code IN {'a', 'c', 'd'}") {
      let tags = ["red", "blue"].prefix(quake.value(forKey: "code") as? String == "d" ? 1 : 2).map {
        context.insert("Tag", ["name": $0])
      }
      quake.setValue(Set(tags), forKey: "tags")
    }
    try context.save()
    for path in ["tags.@count", "tags.name.@count"] {
      let count = NSExpressionDescription()
      count.name = "@count"
      count.expression = NSExpression(forKeyPath: path)
      count.expressionResultType = .integer64AttributeType
      #expect(try context.fetch(request(["code", count])).map { $0["@count"] as? Int } == [2, 0, 2, 1, 0])
      let groups = request(["place", count], sort: "place")
      groups.propertiesToGroupBy = ["place"]
      let expected: [NSDictionary] = [
        ["@count": 0], ["place": "coast", "@count": 1], ["place": "ridge", "@count": 4],
      ]
      #expect(try context.fetch(groups) == expected, "\(path)")
    }
  }

  @Test(arguments: Store.every)
  func `an expression description with only a name refers to that property`(_ store: Store) throws {
    let context = try filled(store)
    let place = NSExpressionDescription()
    place.name = "place"
    let groups = request([place], sort: "place")
    groups.propertiesToGroupBy = [place]
    #expect(try context.fetch(groups).map { $0["place"] as? String } == [nil, "coast", "ridge"])
    #expect(try context.fetch(request([place])).count == 5)
  }

  @Test(arguments: Store.every)
  func `each group is returned once, and the limit counts groups`(_ store: Store) throws {
    let context = try filled(store)
    let groups = request(["place", "region.name"], sort: nil)
    groups.propertiesToGroupBy = ["place", "region.name"]
    groups.sortDescriptors = [
      NSSortDescriptor(key: "region.name", ascending: false), NSSortDescriptor(key: "place", ascending: true),
    ]
    let expected: [NSDictionary] = [
      ["place": "coast", "region.name": "Tonga"], ["place": "ridge", "region.name": "Tonga"],
      ["place": "coast", "region.name": "Chile"], [:],
    ]
    #expect(try context.fetch(groups) == expected)
    groups.fetchLimit = 2
    #expect(try context.fetch(groups) == Array(expected.prefix(2)))
    groups.havingPredicate = NSPredicate(format: "place == 'coast'")
    #expect(try context.fetch(groups) == [expected[0], expected[2]])
    groups.havingPredicate = NSPredicate(format: "@max.magnitude > 5.5")
    #expect(try context.fetch(groups) == [expected[2]])
  }

  @Test(arguments: Store.every)
  func `predicate, sort order, limit and offset apply to dictionaries`(_ store: Store) throws {
    let context = try filled(store)
    let some = request(["code"], sort: nil)
    some.predicate = NSPredicate(format: "region.name == %@", "Tonga")
    some.sortDescriptors = [NSSortDescriptor(key: "magnitude", ascending: false)]
    #expect(try context.fetch(some) == [["code": "d"], ["code": "c"], ["code": "a"]])
    (some.fetchLimit, some.fetchOffset) = (1, 1)
    #expect(try context.fetch(some) == [["code": "c"]])
  }

  @Test func `an invalid column throws with Apple's message`() throws {
    let context = try Store.memory.container().viewContext
    let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
    request.resultType = .dictionaryResultType
    let description = NSExpressionDescription()
    description.name = "nothing"
    let columns: [(Any, String)] = [
      ("tags", "Invalid keypath tags passed to setPropertiesToFetch:."),
      ("plcae", "Invalid keypath plcae passed to setPropertiesToFetch:."),
      (7, "Invalid property (7) passed to setPropertiesToFetch:."),
      (description, "Invalid keypath expression (nothing) passed to setPropertiesToFetch:."),
    ]
    for (column, words) in columns {
      request.propertiesToFetch = [column]
      let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
      #expect(error?.code.rawValue == 134091 && error?.localizedDescription == words)
    }
    request.propertiesToFetch = ["code", "place"]
    request.propertiesToGroupBy = ["place"]
    let error = #expect(throws: CocoaError.self) { try context.count(for: request) }
    #expect(error?.localizedDescription.contains("(code is not in the GROUP BY)") == true)
  }
}
