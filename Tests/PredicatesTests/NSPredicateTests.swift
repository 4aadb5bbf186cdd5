import Foundation
import StrataPredicates
import StrataTestSupport
import Testing

@Suite struct NSPredicateTests {
  @Test func `calls written for Apple's systems compile`() throws {
    let name: String? = "Tonga"
    let date = Date(timeIntervalSinceReferenceDate: 5)
    let ids = [1, 2]
    let cases: [(NSPredicate, String)] = [
      (NSPredicate(format: "mag > 5"), "mag > 5"),
      (NSPredicate(format: "name == %@", "x"), "name == \"x\""),
      (NSPredicate(format: "name == %@", "x" as NSString), "name == \"x\""),
      (NSPredicate(format: "name == %@", "x" as CVarArg), "name == \"x\""),
      (NSPredicate(format: "name == %@", name!), "name == \"Tonga\""),
      (NSPredicate(format: "name == %@", name ?? NSNull()), "name == \"Tonga\""),
      (NSPredicate(format: "name == %@ OR name == nil", NSNull()), "name == nil OR name == nil"),
      (
        NSPredicate(format: "mag >= %f AND place CONTAINS[c] %@", 4.5, "Tonga"),
        "mag >= 4.5 AND place CONTAINS[c] \"Tonga\""
      ),
      (NSPredicate(format: "SELF IN %@", ["a", "b"]), "SELF IN {\"a\", \"b\"}"),
      (NSPredicate(format: "id IN %@", ids), "id IN {1, 2}"),
      (NSPredicate(format: "id IN %@", ids as CVarArg), "id IN {1, 2}"),
      (NSPredicate(format: "id IN %@", ids as NSArray), "id IN {1, 2}"),
      (NSPredicate(format: "id IN %@", Set([1]) as CVarArg), "id IN {1}"),
      (NSPredicate(format: "date > %@", date as NSDate), "date > CAST(5.000000, \"NSDate\")"),
      (NSPredicate(format: "date > %@", date as CVarArg), "date > CAST(5.000000, \"NSDate\")"),
      (NSPredicate(format: "flag == %@", NSNumber(value: true)), "flag == TRUE"),
      (NSPredicate(format: "flag == %@", NSNumber(value: true) as CVarArg), "flag == TRUE"),
      (NSPredicate(format: "%K == %d", #"in"#, 5), "#in == 5"),
      (NSPredicate(format: "%K == %ld", "a.b", Int64(5)), "a.b == 5"),
      (NSPredicate(format: "a == %@ AND b == %@", argumentArray: ["x", 3]), "a == \"x\" AND b == 3"),
      (NSPredicate(format: "a == 1", argumentArray: nil), "a == 1"),
    ]
    for (predicate, text) in cases {
      #expect(try predicate.tree.description == text)
      #expect((predicate as? any TreePredicate)?.node.description == text)
    }
  }

  @Test func `a predicate evaluates subjects, dictionaries and arrays`() {
    let predicate = NSPredicate(format: "mag > %d", 5)
    #expect(predicate.evaluate(with: Quake(["mag": .integer(6)])))
    #expect(!predicate.evaluate(with: Quake()))
    #expect(predicate.evaluate(with: ["mag": 7]))
    let words = NSArray(array: ["Tonga", "Timor", "Chile"])
    #expect(words.filtered(using: NSPredicate(format: "SELF BEGINSWITH 'T'")) as? [String] == ["Tonga", "Timor"])
  }

  @Test func `compounds of format predicates have a tree`() throws {
    let a = NSPredicate(format: "a == 1")
    let b = NSPredicate(format: "b == 2")
    let and = NSCompoundPredicate(andPredicateWithSubpredicates: [a, NSPredicate(value: true)])
    let or = NSCompoundPredicate(orPredicateWithSubpredicates: [and, b])
    let not = NSCompoundPredicate(notPredicateWithSubpredicate: or)
    #expect(try not.tree.description == "NOT ((a == 1 AND TRUEPREDICATE) OR b == 2)")
    #expect(try NSCompoundPredicate(andPredicateWithSubpredicates: [a]).tree == a.tree)
    #expect(try NSCompoundPredicate(type: .or, subpredicates: []).tree == .or([]))
    #expect(not.evaluate(with: ["a": 2, "b": 3]))
    #expect(!not.evaluate(with: ["a": 1, "b": 3]))
  }

  @Test func `constants have a tree, and blocks do not`() throws {
    #expect(try NSPredicate(value: true).tree == .constant(true))
    #expect(try NSPredicate(value: false).tree == .constant(false))
    let block = NSPredicate { _, _ in true }
    #expect(throws: UnreadablePredicateError.self) { try block.tree }
    #expect(throws: UnreadablePredicateError.self) {
      try NSCompoundPredicate(andPredicateWithSubpredicates: [block]).tree
    }
  }

  @Test func `variables are substituted`() throws {
    let template = NSPredicate(format: "mag > $LIMIT AND place IN $PLACES")
    let bound = template.withSubstitutionVariables(["LIMIT": 5, "PLACES": ["Tonga"]])
    #expect(try bound.tree.description == "mag > 5 AND place IN {\"Tonga\"}")
    #expect(template.evaluate(with: ["mag": 6, "place": "x"], substitutionVariables: ["LIMIT": 5, "PLACES": ["x"]]))
    let compound = NSCompoundPredicate(notPredicateWithSubpredicate: template)
    let boundCompound = compound.withSubstitutionVariables(["LIMIT": 5, "PLACES": []])
    #expect(try boundCompound.tree.description == "NOT (mag > 5 AND place IN {})")
  }

  @Test func `a missing variable stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "mag > $LIMIT").withSubstitutionVariables([:])
    }
    #expect(result.errorText.contains("$LIMIT has no value"))
  }

  private final class OwnCompound: NSCompoundPredicate {}

  @Test func `substitution in a subclass of NSCompoundPredicate stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let own = OwnCompound(notPredicateWithSubpredicate: NSPredicate(format: "mag > $LIMIT"))
      _ = own.withSubstitutionVariables(["LIMIT": 5])
    }
    #expect(result.errorText.contains("OwnCompound"))
  }

  @Test func `predicates with equal trees are equal`() {
    let predicate = NSPredicate(format: "a == %@", 1)
    #expect(predicate == NSPredicate(format: "a = 1"))
    #expect(predicate.hash == NSPredicate(format: "a = 1").hash)
    #expect(predicate != NSPredicate(format: "a == 2"))
    #expect(NSPredicate(value: true) != predicate)
    #expect(predicate.copy() as? NSPredicate == predicate)
  }

  @Test func `predicate arguments also work in string formats`() {
    let id = UUID()
    let number = NSNumber(value: 3)
    let text = String(format: "%@ %@ %@ %@", number, "a" as NSString, [1, 2] as CVarArg, NSArray(array: ["b"]))
    #expect(text.hasPrefix("3 a [1, 2] "))
    #expect(String(format: "%@", id as CVarArg) == id.uuidString)
  }
}
