// The module first: for a name that both have, the compiler would otherwise warn that Foundation's is deprecated.
// swift-format-ignore: OrderedImports
import StrataPredicates
import Foundation
import Testing

private struct Place {
  var name: String
  var depth: Double?
}

private enum Grade: Int { case weak = 1, strong = 5 }

private class Event {
  var place: Place?
  private var _hidden = "seen"
  init(place: Place?) { self.place = place }
}

private final class Shake: Event {
  let magnitude: Double
  let grade: Grade
  let felt: Int32?
  var tags: [String]
  var after: [Shake]
  weak var cause: Shake?
  let station: Station?

  init(
    _ magnitude: Double, at place: Place? = nil, felt: Int32? = nil, tags: [String] = [], after: [Shake] = [],
    station: Station? = nil
  ) {
    (self.magnitude, self.felt, self.tags, self.after, self.station) = (magnitude, felt, tags, after, station)
    grade = magnitude > 5 ? .strong : .weak
    super.init(place: place)
    for shake in after { shake.cause = self }
  }
}

private final class Station: NSObject {
  let code: String
  init(_ code: String) { self.code = code }
}

/// Predicates over instances of the program's own classes and structures.
@Suite struct PlainObjectTests {
  private let shake = Shake(
    6.5, at: Place(name: "Tonga", depth: 10), felt: 3, tags: ["deep", "sea"],
    after: [Shake(4.5, at: Place(name: "Fiji", depth: nil)), Shake(5.5, felt: 2)], station: Station("NOU"))

  private static let cases: [(format: String, holds: Bool)] = [
    ("magnitude > 6", true), ("magnitude BETWEEN {6, 7}", true), ("felt == 3", true), ("felt == nil", false),
    ("place.name BEGINSWITH[c] 't'", true), ("place.depth == 10", true), ("place.name.length == 5", true),
    ("grade == 5", true), ("hidden == 'seen'", true), ("'sea' IN tags", true), ("tags CONTAINS 'deep'", true),
    ("ANY after.magnitude > 5", true), ("ALL after.magnitude > 5", false), ("NONE after.magnitude > 6", true),
    ("after.@count == 2", true), ("after.@sum.magnitude == 10", true), ("after.@max.magnitude == 5.5", true),
    ("after.@avg.magnitude == 5", true), ("after.place.name == {'Fiji'}", false),
    ("ANY after.place.name == 'Fiji'", true), ("ANY after.place.depth == nil", true), ("cause == nil", true),
    ("ANY after.cause.magnitude == 6.5", true), ("station.code == 'NOU'", true), ("SELF.magnitude > 6", true),
    ("SUBQUERY(after, $a, $a.magnitude > 5 AND $a.felt == 2).@count == 1", true),
    ("after[0].magnitude == 4.5 AND after[LAST].felt == 2 AND after[SIZE] == 2", true),
  ]

  @Test(arguments: cases.indices) func `stored properties are keys`(_ index: Int) {
    let (format, holds) = Self.cases[index]
    #expect(NSPredicate(format: format).evaluate(with: shake) == holds, "\(format)")
  }

  @Test func `properties of structures are keys`() {
    let places = [Place(name: "Tonga", depth: 10), Place(name: "Fiji", depth: nil)]
    let deep = NSPredicate(format: "depth > 5")
    #expect(places.filter { deep.evaluate(with: $0) }.map(\.name) == ["Tonga"])
    #expect(NSPredicate(format: "SELF.@count == 2 AND ANY name == 'Fiji'").evaluate(with: places))
    let nothing: Place? = nil
    #expect(NSPredicate(format: "SELF == nil").evaluate(with: nothing as Any))
    #expect(!NSPredicate(format: "SELF == nil").evaluate(with: places[0]))
  }

  @Test func `objects compare by identity`() {
    let same = NSPredicate(format: "ANY after.cause == SELF")
    #expect(same.evaluate(with: shake))
    #expect(!NSPredicate(format: "after[0] == after[1]").evaluate(with: shake))
    #expect(NSPredicate(format: "station == %@", shake.station!).evaluate(with: shake))
    #expect(!NSPredicate(format: "station == %@", Station("NOU")).evaluate(with: shake))
  }

  @Test func `expressions and sort descriptors read stored properties`() {
    let strongest = NSExpression(forKeyPath: "after.@max.magnitude").expressionValue(with: shake, context: nil)
    #expect(strongest as? Double == 5.5)
    let found = NSExpression(forKeyPath: "station").expressionValue(with: shake, context: nil)
    #expect(found as? Station === shake.station)
    let place = NSExpression(forKeyPath: "place").expressionValue(with: shake, context: nil)
    #expect((place as? Place)?.name == "Tonga")
    let order = NSSortDescriptor(key: "magnitude", ascending: false)
    #expect(order.compare(shake.after[0], to: shake) == .orderedDescending)
  }

  @Test func `a missing key stops the program with key-value coding's message`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "nowhere == 1").evaluate(with: Shake(1))
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Shake"))
    #expect(text.contains("valueForUndefinedKey:]: this class is not key value coding-compliant for the key nowhere."))
  }
}
