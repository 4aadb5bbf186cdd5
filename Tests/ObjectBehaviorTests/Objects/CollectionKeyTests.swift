import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Key-value coding of Foundation's collections.
/// See https://developer.apple.com/documentation/foundation/nsarray/value(forkey:)
@MainActor @Suite struct CollectionKeyTests {
  private let context: NSManagedObjectContext
  private let region: NSManagedObject
  private let quakes: [NSManagedObject]

  init() throws {
    context = try Store.memory.container().viewContext
    let region = context.insert("Region", ["name": "Tonga"])
    self.region = region
    quakes = [("a", 5.0, "Sea"), ("b", 6, nil), ("c", 7, "Sea")].map { [context] code, magnitude, place in
      context.insert("Quake", ["code": code, "magnitude": magnitude, "place": place as Any, "region": region])
    }
  }

  @Test func `an array returns a value for each member`() {
    let places = (quakes as NSArray).value(forKey: "place") as? NSArray
    #expect(places == NSArray(array: ["Sea", NSNull(), "Sea"]))
    let regions = (quakes as NSArray).value(forKeyPath: "region.name") as? [String]
    #expect(regions == ["Tonga", "Tonga", "Tonga"])
  }

  @Test func `sets omit nil values`() throws {
    let members = try #require(region.value(forKey: "quakes") as? NSSet)
    #expect(members.value(forKey: "code") as? Set<String> == ["a", "b", "c"])
    #expect(members.value(forKey: "place") as? Set<String> == ["Sea"])
    #expect(region.mutableSetValue(forKey: "quakes").value(forKey: "magnitude") as? Set<Double> == [5, 6, 7])
    let ordered = NSOrderedSet(array: quakes)
    #expect((ordered.value(forKey: "code") as? NSOrderedSet)?.array as? [String] == ["a", "b", "c"])
    #expect((ordered.value(forKeyPath: "place") as? NSOrderedSet)?.array as? [String] == ["Sea"])
  }

  @Test func `operators combine the values of members`() {
    let (array, set, ordered) = (quakes as NSArray, NSSet(array: quakes), NSOrderedSet(array: quakes))
    #expect(array.value(forKeyPath: "@unionOfObjects.code") as? [String] == ["a", "b", "c"])
    #expect(array.value(forKeyPath: "@distinctUnionOfObjects.place") as? [String] == ["Sea"])
    #expect(set.value(forKeyPath: "@max.magnitude") as? Double == 7)
    #expect(ordered.value(forKeyPath: "@sum.magnitude") as? Double == 18)
    // The operator applies to the array, not to each set.
    #expect(array.value(forKeyPath: "region.quakes.@count") as? Int == 3)
    #expect(ordered.value(forKey: "@count") as? Int == 3)
    #expect(([3, 1, 2] as NSArray).value(forKeyPath: "@min.self") as? Int == 1)
  }

  @Test func `members can be any objects with keys`() {
    let rows: NSArray = [["name": "x", "parts": [1, 2]] as [String: Any], NSDictionary(dictionary: ["name": "y"])]
    #expect(rows.value(forKey: "name") as? [String] == ["x", "y"])
    #expect(rows.value(forKey: "parts") as? NSArray == [[1, 2], NSNull()] as NSArray)
    #expect(rows.value(forKeyPath: "@max.name") as? String == "y")
    final class Place { let name = "here" }
    #expect(([Place(), Place()] as NSArray).value(forKey: "name") as? [String] == ["here", "here"])
    #expect((["one", "three"] as NSArray).value(forKey: "length") as? [Int] == [3, 5])
    #expect(NSDictionary(dictionary: ["row": ["name": "x"]]).value(forKeyPath: "row.name") as? String == "x")
  }

  @Test func `setting a value sets it on each member`() {
    NSSet(array: quakes).setValue("Land", forKey: "place")
    #expect(quakes.allSatisfy { $0["place"] as? String == "Land" })
    (quakes as NSArray).setValue(nil, forKey: "place")
    #expect(quakes.allSatisfy { $0["place"] == nil })
    NSOrderedSet(array: quakes).setValue("Fiji", forKeyPath: "region.name")
    #expect(region["name"] as? String == "Fiji")
  }

  @Test func `an unknown key stops the program`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      final class Place { let name = "here" }
      _ = NSArray(object: Place()).value(forKey: "nowhere")
    }
    let text = result.errorText
    #expect(text.contains("this class is not key value coding-compliant for the key nowhere."), "\(text)")
  }
}
