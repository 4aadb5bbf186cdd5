import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Fetches with Swift predicates, which must find the objects that the predicate selects in memory.
@Suite struct SwiftPredicateTests {
  /// Compares the results of the store and of Swift for each predicate.
  private func compare(_ store: Store, _ predicates: [(String, Predicate<Shock>)]) throws {
    let context = try ShockModel.context(store)
    try context.performAndWait { try compare(context, predicates) }
  }

  private func compare(_ context: NSManagedObjectContext, _ predicates: [(String, Predicate<Shock>)]) throws {
    let all = try context.fetch(NSFetchRequest<Shock>(entityName: "Shock"))
    for (text, predicate) in predicates {
      let request = NSFetchRequest<Shock>(entityName: "Shock")
      request.predicate = NSPredicate(predicate)
      let expected = Set(try all.filter { try predicate.evaluate($0) }.map(\.code))
      do {
        let found = Set(try context.fetch(request).map(\.code))
        #expect(found == expected, "\(text): \(request.predicate?.description ?? "")")
      } catch {
        Issue.record("\(text): \(error)")
      }
    }
  }

  @Test(arguments: Store.allCases) func `comparisons match the result of Swift`(_ store: Store) throws {
    let five = 5.0
    try compare(
      store,
      [
        ("magnitude > 5", #Predicate { $0.magnitude > five }),
        ("5 > magnitude", #Predicate { five > $0.magnitude }),
        ("magnitude < 5", #Predicate { $0.magnitude < 5 }),
        ("magnitude <= 0", #Predicate { $0.magnitude <= 0 }),
        ("magnitude >= 0", #Predicate { $0.magnitude >= 0 }),
        ("magnitude == 0", #Predicate { $0.magnitude == 0 }),
        ("magnitude != 0", #Predicate { $0.magnitude != 0 }),
        ("magnitude != 5", #Predicate { $0.magnitude != 5 }),
        ("name ==", #Predicate { $0.name == "Nevada" }),
        ("name !=", #Predicate { $0.name != "Nevada" }),
        ("name == nil", #Predicate { $0.name == nil }),
        ("name != nil", #Predicate { $0.name != nil }),
        ("felt", #Predicate { $0.felt > 2 && $0.stations <= 7 }),
        ("gap", #Predicate { $0.gap >= 1.25 || $0.gap == 0 }),
        ("reviewed", #Predicate { $0.reviewed }),
        ("not reviewed", #Predicate { !$0.reviewed }),
        ("reviewed == false", #Predicate { $0.reviewed == false }),
        ("depth == nil", #Predicate { $0.depth == nil }),
        ("wave != nil", #Predicate { $0.wave != nil }),
        ("true", .true), ("false", .false),
        ("code < code", #Predicate { $0.code < "c3" }),
        ("region == nil", #Predicate { $0.region == nil }),
        ("iff", #Predicate { ($0.magnitude > 4) == $0.reviewed }),
        ("xor", #Predicate { ($0.magnitude > 4) != ($0.stations > 5) }),
      ])
  }

  @Test(arguments: Store.allCases) func `captured values match the result of Swift`(_ store: Store) throws {
    let (day, id) = (
      Date(timeIntervalSinceReferenceDate: 3000), UUID(uuid: (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    )
    let (codes, data) = (["c1", "c4", "nowhere"], Data([1, 0]))
    let names: Set<String> = ["Alaska", "Chile"]
    let stations: [Int16] = [0, 3, 4]
    let name: String? = nil
    let page = URL(string: "https://example.org/3")
    try compare(
      store,
      [
        ("time", #Predicate { $0.time == day }),
        ("time ?? ", #Predicate { ($0.time ?? day) >= day }),
        ("uuid", #Predicate { $0.uuid == id }),
        ("wave", #Predicate { $0.wave == data }),
        ("page", #Predicate { $0.page == page }),
        ("codes", #Predicate { codes.contains($0.code) }),
        ("names", #Predicate { names.contains($0.name ?? "Chile") }),
        ("stations", #Predicate { stations.contains($0.stations) }),
        ("captured nil", #Predicate { $0.name == name }),
        ("list contains where", #Predicate { shock in codes.contains { $0 == shock.code } }),
      ])
  }

  @Test(arguments: Store.allCases) func `string operations match the result of Swift`(_ store: Store) throws {
    let (same, less) = (ComparisonResult.orderedSame, ComparisonResult.orderedAscending)
    try compare(
      store,
      [
        ("contains", #Predicate { $0.code.contains("1") }),
        ("optional contains", #Predicate { $0.name?.contains("a") == true }),
        ("optional contains false", #Predicate { $0.name?.contains("a") == false }),
        ("optional contains nil", #Predicate { $0.name?.contains("a") == nil }),
        ("optional contains ??", #Predicate { $0.name?.contains("a") ?? true }),
        ("starts", #Predicate { $0.code.starts(with: "c1") }),
        ("localized", #Predicate { $0.code.localizedStandardContains("C1") }),
        ("localized ??", #Predicate { ($0.name ?? "Alps").localizedStandardContains("ÁL") }),
        ("localized?", #Predicate { $0.name?.localizedStandardContains("al") == true }),
        ("same", #Predicate { $0.code.caseInsensitiveCompare("C1") == same }),
        ("less", #Predicate { ($0.name ?? "").caseInsensitiveCompare("n") == less }),
        ("starts ??", #Predicate { ($0.name ?? "Alps").starts(with: "Al") }),
        ("percent", #Predicate { ($0.name ?? "").contains("_b%") }),
        ("isEmpty", #Predicate { $0.name?.isEmpty == true }),
        ("not isEmpty", #Predicate { !($0.name ?? "").isEmpty }),
        ("empty contains", #Predicate { ($0.name ?? "x").contains("") }),
        ("order", #Predicate { ($0.name ?? "") < "a" }),
      ])
  }

  @Test(arguments: Store.allCases) func `ranges match the result of Swift`(_ store: Store) throws {
    let (low, high) = (4.5, 7.0)
    let span = low...high
    try compare(
      store,
      [
        ("closed", #Predicate { (4.5...7.25).contains($0.magnitude) }),
        ("closed at zero", #Predicate { (-1...4.5).contains($0.magnitude) }),
        ("open", #Predicate { (low..<high).contains($0.magnitude) }),
        ("captured", #Predicate { span.contains($0.magnitude) }),
        ("from a property", #Predicate { (-10.0...$0.magnitude).contains(5) }),
      ])
  }

  @Test(arguments: Store.allCases) func `relationships match the result of Swift`(_ store: Store) throws {
    try compare(
      store,
      [
        ("through", #Predicate { $0.region?.name == "North" }),
        ("through nil", #Predicate { $0.region?.name == nil }),
        ("through twice", #Predicate { $0.region?.parent?.name == "south" }),
        ("people", #Predicate { ($0.region?.people ?? -1) > 0 }),
        ("people nil", #Predicate { ($0.region?.people ?? 7) == 7 }),
        ("any", #Predicate { $0.marks.contains { $0.weight > 1.5 } }),
        ("all two", #Predicate { $0.marks.allSatisfy { $0.weight > 1 && $0.name != "m2" } }),
        ("any or", #Predicate { $0.marks.contains { $0.weight < 1 } }),
        ("count", #Predicate { $0.marks.count > 1 }),
        ("isEmpty", #Predicate { $0.marks.isEmpty }),
        ("any no region", #Predicate { $0.marks.contains { $0.shock.region?.name == "North" } }),
      ])
  }

  @Test(arguments: Store.allCases) func `conditions on members match the result of Swift`(_ store: Store) throws {
    try compare(
      store,
      [
        ("any of two", #Predicate { $0.marks.contains { $0.weight > 1 && $0.name == "m1" } }),
        ("any with outer", #Predicate { shock in shock.marks.contains { $0.weight > shock.magnitude } }),
        ("all", #Predicate { $0.marks.allSatisfy { $0.weight < 1.5 } }),
        ("filter count", #Predicate { $0.marks.filter { $0.weight > 0.5 }.count == 1 }),
      ])
  }

  @Test(arguments: Store.allCases) func `arithmetic matches the result of Swift`(_ store: Store) throws {
    try compare(
      store,
      [
        ("sum", #Predicate { $0.magnitude + 1 > 5.25 }),
        ("difference", #Predicate { $0.magnitude - 5 < 0 }),
        ("product", #Predicate { $0.magnitude * 2 == 9 }),
        ("minus", #Predicate { -$0.magnitude < -5 }),
        ("quotient", #Predicate { $0.magnitude / 2 > 2.25 }),
        ("integer quotient", #Predicate { $0.stations / 4 == 1 }),
        ("remainder", #Predicate { $0.stations % 3 == 1 }),
        ("ternary", #Predicate { ($0.reviewed ? $0.magnitude : 0) > 4 }),
        ("ternary of truths", #Predicate { $0.reviewed ? $0.magnitude > 4 : $0.name == nil }),
        ("coalesced", #Predicate { ($0.name ?? $0.code) == "c0" }),
        ("count", #Predicate { ($0.name?.count ?? 0) > 5 }),
      ])
  }

  @Test(arguments: Store.allCases) func `compound predicates accept Swift predicates`(_ store: Store) throws {
    let context = try ShockModel.context(store)
    try context.performAndWait {
      let strong = try #require(NSPredicate(#Predicate<Shock> { $0.magnitude > 5 }))
      let request = NSFetchRequest<Shock>(entityName: "Shock")
      request.predicate = NSCompoundPredicate(
        andPredicateWithSubpredicates: [strong, NSPredicate(format: "reviewed == YES")])
      #expect(try context.fetch(request).map(\.code).sorted() == ["c10", "c2", "c6"])
      #expect(strong.description == "magnitude > 5")
    }
  }

  /// A fetch cannot evaluate a computed property, but Swift can in memory.
  @Test(arguments: Store.allCases) func `a fetch throws for a computed property`(_ store: Store) throws {
    let context = try ShockModel.context(store)
    try context.performAndWait {
      let predicate = #Predicate<Shock> { $0.isStrong }
      let request = NSFetchRequest<Shock>(entityName: "Shock")
      request.predicate = NSPredicate(predicate)
      let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
      #expect(error?.code.rawValue == 134091)
      #expect(error.map { "\($0)" }?.contains("The entity 'Shock' has no property 'isStrong'.") == true)
      let all = try context.fetch(NSFetchRequest<Shock>(entityName: "Shock"))
      let strong = all.filter { NSPredicate(predicate)?.evaluate(with: $0) == true }
      #expect(strong.map(\.code).sorted() == ["c10", "c2", "c6"])
    }
  }

  /// The store does not know a computed property, even if its getter returns a stored value unchanged.
  @Test(arguments: Store.allCases) func `a fetch throws for computed enumerations`(_ store: Store) throws {
    let context = try ShockModel.context(store)
    try context.performAndWait {
      let (natural, yellow, loud) = (Shock.Kind.natural, Shock.Color.yellow, Shock.Label(rawValue: "C1"))
      let predicates: [Predicate<Shock>] = [
        #Predicate { $0.opposite == natural }, #Predicate { $0.settled != natural },
        #Predicate { $0.plainColor == yellow }, #Predicate { $0.loudLabel == loud }, #Predicate { $0.kind == natural },
        #Predicate { $0.kind.rawValue == 0 }, #Predicate { $0.color != yellow }, #Predicate { $0.codeLabel != loud },
      ]
      for predicate in predicates {
        let request = NSFetchRequest<Shock>(entityName: "Shock")
        request.predicate = NSPredicate(predicate)
        let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
        #expect(error?.code.rawValue == 134091)
        #expect(error?.localizedDescription.contains("has no property '") == true)
        request.predicate = nil
        let all = try context.fetch(request)
        #expect(try all.contains { try predicate.evaluate($0) })
      }
    }
  }

  /// Comparisons of a property with a constant stay plain comparisons, so that the store can use an index.
  @Test func `converted predicates have simple formats`() throws {
    let container = try Store.memory.container(of: ShockModel.model)
    withExtendedLifetime(container) {
      let formats: [(Predicate<Shock>, String)] = [
        (#Predicate { $0.magnitude > 5 }, "magnitude > 5"),
        (#Predicate { $0.magnitude < 5 }, "magnitude < 5 OR magnitude == nil"),
        (#Predicate { $0.magnitude != 0 }, "magnitude != 0 AND magnitude != nil"),
        (#Predicate { ($0.name ?? "x") == "a" }, "name == \"a\""),
        (#Predicate { ($0.name?.count ?? 0) > 5 }, "length:(name) > 5"),
        (#Predicate { ($0.region?.people ?? -1) > 0 }, "region.people > 0"),
        (#Predicate { $0.region?.name == nil }, "region.name == nil"),
        (#Predicate { $0.marks.contains { $0.weight > 1 } }, "ANY marks.weight > 1"),
        (
          #Predicate { $0.marks.allSatisfy { $0.weight > 1 && $0.name != "m2" } },
          "ALL marks.weight > 1 AND ALL marks.name != \"m2\""
        ),
        (
          #Predicate { (4.5...7.25).contains($0.magnitude) && $0.reviewed },
          "magnitude BETWEEN {4.5, 7.25} AND reviewed == 1"
        ),
      ]
      for (predicate, format) in formats { #expect(NSPredicate(predicate)?.description == format) }
    }
  }
}
