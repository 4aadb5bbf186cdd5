import Foundation
import StrataPredicates
import Testing

@Suite struct PredicateQuantifierTests {
  private let quake = Quake(aftershocks: [
    Quake(["mag": .integer(3), "place": .string("Tonga")]), Quake(["mag": .integer(5)]), Quake(),
  ])

  @Test(arguments: [
    ("ANY aftershocks.mag > 4", true), ("ANY aftershocks.mag > 5", false), ("ALL aftershocks.mag > 1", false),
    ("ANY aftershocks.mag == nil", true), ("NONE aftershocks.mag > 5", true), ("NONE aftershocks.mag > 4", false),
    ("ALL aftershocks.mag != 9", true), ("ANY aftershocks.mag IN {5, 6}", true),
    ("ANY aftershocks.place BEGINSWITH 'T'", true), ("ANY aftershocks.region.place == nil", true),
    ("aftershocks.mag CONTAINS 5", true), ("5 IN aftershocks.mag", true), ("9 IN aftershocks.mag", false),
    ("ANY mag == nil", true), ("aftershocks.@count == 3", true), ("aftershocks.@max.mag == 5", true),
    ("aftershocks.@min.mag == 3", true), ("aftershocks.@sum.mag == 8", true), ("aftershocks.@avg.mag == 4", true),
  ])
  func `quantifiers and operators apply to a to-many key path`(format: String, expected: Bool) throws {
    #expect(try holds(format, quake) == expected)
  }

  @Test(arguments: [
    ("ANY aftershocks.mag > 0", false), ("ANY aftershocks.mag == nil", false), ("ALL aftershocks.mag > 0", true),
    ("NONE aftershocks.mag > 0", true), ("aftershocks.@count == 0", true), ("aftershocks.@sum.mag == 0", true),
    ("aftershocks.@max.mag == nil", true), ("aftershocks.@avg.mag == nil", true),
  ])
  func `quantifiers and operators apply to an empty to-many key path`(format: String, expected: Bool) throws {
    #expect(try holds(format, Quake()) == expected)
  }

  @Test func `related objects are found by identity`() throws {
    let inner = Quake(["mag": .integer(1)])
    let outer = Quake(aftershocks: [Quake(aftershocks: [inner]), Quake()])
    #expect(try holds("ANY aftershocks.aftershocks == %@", outer, inner))
    #expect(try holds("ANY aftershocks == %@", outer, inner) == false)
    #expect(try holds("aftershocks CONTAINS %@", outer, outer.aftershocks[0]))
    #expect(try holds("%@ IN aftershocks", outer, outer.aftershocks[1]))
    #expect(try holds("ANY aftershocks.aftershocks.@count == 1", outer))
    #expect(try holds("ANY aftershocks.aftershocks.mag == 1", outer))
  }

  @Test func `a to-many key path without a quantifier throws`() {
    let error = #expect(throws: PredicateEvaluationError.self) { try holds("aftershocks.mag > 4", quake) }
    #expect(
      error?.description
        == "The comparison aftershocks.mag > 4 uses a to-many key path: put ANY, ALL or NONE before it.")
  }
}
