import Foundation
import StrataPredicates
import Testing

/// The evaluation rules (13) to (23), in whole predicates.
@Suite struct ExpressionEvaluationTests {
  private static let first = Quake(["mag": .real(2.5), "place": .string("Tonga"), "id": .integer(1)])
  private static let second = Quake(["mag": .real(4), "place": .null, "id": .integer(2)])
  private static let third = Quake(["mag": .real(4), "place": .string("tonga"), "id": .integer(3)])

  private func quake() -> Quake {
    Quake(
      [
        "mag": .integer(6), "place": .string("Tonga"), "date": .date(Date(timeIntervalSinceReferenceDate: 100)),
        "id": .integer(7),
      ], region: Self.first, aftershocks: [Self.first, Self.second, Self.third])
  }

  @Test(arguments: [
    "(mag + 1) * 2 == 14", "mag / 4 == 1", "mag / 4.0 == 1.5", "mag ** 2 == 36", "-mag < 0", "mag + note == nil",
    "mag / 0 == nil", "NOT mag / 0 > 1", "date + 5 > date", "date - CAST(90, 'NSDate') == 10", "place + 1 == nil",
    "modulus:by:(mag, 4) == 2", "mag - 10 BETWEEN {-4, -4}", "1 + 1 IN {mag / 3, 9}",
  ])
  func `arithmetic is evaluated`(format: String) throws { #expect(try holds(format, quake())) }

  @Test(arguments: [
    "length(place) == 5", "place.length == 5", "uppercase(place) == 'TONGA'", "lowercase(note) == nil",
    "canonical('É') == 'e'", "abs(-3) == 3", "now() > date", "random() >= 0", "randomn(1) == 0",
    "noindex(mag) == 6", "CAST(mag, 'NSString') == '6'", "CAST(date, 'NSNumber') == 100",
    "CAST(CAST(date, 'NSNumber') + 1, 'NSDate') > date", "CAST(place, 'NSNumber') == nil",
    "FUNCTION(date, 'timeIntervalSinceReferenceDate') == 100",
  ])
  func `functions are evaluated`(format: String) throws { #expect(try holds(format, quake())) }

  @Test(arguments: [
    "sum(aftershocks.mag) == 10.5", "average(aftershocks.mag) == 3.5", "max(aftershocks.mag) == 4",
    "min(aftershocks.place) == 'Tonga'", "count(aftershocks) == 3", "count(aftershocks.place) == 2",
    "median(aftershocks.mag) == 4", "mode(aftershocks.mag) == {4}", "sum({1, 2, mag}) == 9", "sum(1, 2) == 3",
    "sum(region.aftershocks.mag) == 0", "max(region.aftershocks.mag) == nil", "aftershocks.@count == 3",
    "aftershocks.@avg.mag == 3.5", "aftershocks.@unionOfObjects.place == {'Tonga', 'tonga'}",
    "aftershocks.@distinctUnionOfObjects.mag == {2.5, 4}", "{3, 1, 2}.@max.self == 3",
    "ANY aftershocks.@distinctUnionOfObjects.place == 'tonga'",
  ])
  func `functions of collections are evaluated`(format: String) throws { #expect(try holds(format, quake())) }

  @Test(arguments: [
    "SUBQUERY(aftershocks, $x, $x.mag > 3).@count == 2", "SUBQUERY(aftershocks, $x, $x.mag > 9).@count == 0",
    "SUBQUERY(aftershocks, $x, $x.mag < mag).@count == 3", "SUBQUERY(note, $x, $x.mag > 3).@count == 0",
    "SUBQUERY(aftershocks, $x, $x.place == SELF.place).@max.mag == 2.5",
    "ANY SUBQUERY(aftershocks, $x, $x.mag > 3).id == 3", "SUBQUERY({1, 2, 3}, $n, $n > 1) == {2, 3}",
    "SUBQUERY(aftershocks, $x, SUBQUERY(aftershocks, $y, $y.mag == $x.mag).@count == 2).@count == 2",
    "SUBQUERY(aftershocks, $x, $x == $x)[SIZE] == 3",
  ])
  func `subqueries are evaluated`(format: String) throws { #expect(try holds(format, quake())) }

  @Test func `a subquery's variable is local`() throws {
    let tree = try PredicateParser.tree("SUBQUERY(aftershocks, $x, $x.mag > $LIMIT).@count == $x")
    #expect(tree.variables == ["x", "LIMIT"])
    let bound = try tree.substituting(variables: ["LIMIT": .integer(3), "x": .integer(2)])
    #expect(bound.description == "SUBQUERY(aftershocks, $x, $x.mag > 3).@count == 2")
    #expect(try bound.evaluate(on: quake()))
    #expect(bound.keyPaths == [["aftershocks"], ["aftershocks", "mag"], ["aftershocks", "@count"]])
  }

  @Test(arguments: [
    "TERNARY(mag > 5, 'big', 'small') == 'big'", "TERNARY(note == nil, mag, 1 / 0) == 6",
    "{1, 2} UNION {2, 3} == {1, 2, 3}", "{1, 2, 2} INTERSECT {2, 3} == {2}", "{1, 2} MINUS {2.0} == {1}",
    "note UNION {1} == {1}", "(aftershocks MINUS SUBQUERY(aftershocks, $x, $x.id < 3)).id == {3}",
    "{5, 6}[FIRST] == 5", "{5, 6}[LAST] == 6", "{5, 6}[SIZE] == 2", "{5, 6}[1] == 6", "{5, 6}[2] == nil",
    "{5, 6}[-1] == nil", "note[FIRST] == nil", "note[SIZE] == 0", "aftershocks[FIRST].mag == 2.5",
    "{}[FIRST] == nil",
  ])
  func `conditionals, set operations and elements are evaluated`(format: String) throws {
    #expect(try holds(format, quake()))
  }

  @Test func `an index finds a dictionary's element by its key`() {
    #expect(NSPredicate(format: "numbers['two'] == 2").evaluate(with: ["numbers": ["two": 2]]))
  }

  @Test(arguments: ["abs(aftershocks.mag) == 1", "SUBQUERY(mag, $x, $x > 1).@count == 1", "mag UNION {1} == {1}"])
  func `an expression without a value throws`(format: String) {
    #expect(throws: PredicateEvaluationError.self) { try holds(format, quake()) }
  }

  @Test func `ANYKEY cannot be evaluated`() {
    #expect(throws: PredicateEvaluationError.self) { try holds("ANYKEY == 1", quake()) }
  }

  @Test func `now can be fixed to a date`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 5)
    let tree = try PredicateParser.tree(
      "SUBQUERY(a, $x, $x.date < now() - 60).@count > 0 AND TERNARY(now() > b, 1, 2) == 1")
    #expect(NSPredicate(format: "now() == now()").evaluate(with: nil))
    #expect(tree.usesNow && !tree.fixingNow(at: date).usesNow)
    #expect(
      try PredicateParser.tree("date < now()").fixingNow(at: date).description == "date < CAST(5.000000, \"NSDate\")")
  }

  @Test func `Foundation's collections can be filtered`() {
    let big = NSPredicate(format: "mag * 2 > 9 AND SUBQUERY(shocks, $s, $s > 1).@count > 0")
    let objects: [[String: Any]] = [
      ["mag": 4, "shocks": [2]], ["mag": 5, "shocks": [1, 2]], ["mag": 6, "shocks": [Int]()],
    ]
    let array = NSMutableArray(array: objects)
    #expect((array.filtered(using: big) as? [[String: Any]])?.map { $0["mag"] as? Int } == [5])
    array.filter(using: big)
    #expect(array.count == 1)
    let numbers = NSMutableSet(array: [1, 2, 3])
    #expect(numbers.filtered(using: NSPredicate(format: "SELF > 1")).count == 2)
    numbers.filter(using: NSPredicate(format: "SELF ** 2 == 4"))
    #expect(numbers.allObjects as? [Int] == [2])
    let ordered = NSMutableOrderedSet(array: ["a", "bb", "ccc"])
    #expect(ordered.filtered(using: NSPredicate(format: "length > 1")).array as? [String] == ["bb", "ccc"])
    ordered.filter(using: NSPredicate(format: "SELF.length == 3 OR self IN %@", ["a"]))
    #expect(ordered.array as? [String] == ["a", "ccc"])
  }
}
