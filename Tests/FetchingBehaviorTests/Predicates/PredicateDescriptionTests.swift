import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Descriptions and equality of predicates, expressions and sort descriptors.
@MainActor @Suite struct PredicateDescriptionTests {
  private static let samples: [(NSPredicate, String)] = [
    (NSPredicate(format: "name != nil"), "name != nil"), (NSPredicate(format: "name == NULL"), "name == nil"),
    (NSPredicate(format: "name = %@", NSNull()), "name == nil"),
    (NSPredicate(format: "name = %@", "it's"), "name == \"it's\""),
    (NSPredicate(format: "name = 'say \"x\"'"), "name == \"say \\\"x\\\"\""),
    (NSPredicate(format: "flag == YES && other == %@", NSNumber(value: false)), "flag == 1 AND other == 0"),
    (NSPredicate(format: "felt > %@ AND mag > 4.5", 5.0), "felt > 5 AND mag > 4.5"),
    (NSPredicate(format: "cost > %@", NSDecimalNumber(string: "1.25")), "cost > 1.25"),
    (
      NSPredicate(format: "time >= %@", Date(timeIntervalSinceReferenceDate: 592299475.57712) as NSDate),
      "time >= CAST(592299475.577120, \"NSDate\")"
    ),
    (NSPredicate(format: "id == %@", uuid as NSUUID), "id == \(uuid)"),
    (NSPredicate(format: "code IN %@", ["a", "b"]), "code IN {\"a\", \"b\"}"),
    (NSPredicate(format: "felt BETWEEN {1, %@}", 5), "felt BETWEEN {1, 5}"),
    (NSPredicate(format: "name contains[cd] $NAME"), "name CONTAINS[cd] $NAME"),
    (NSPredicate(format: "any tags.name like 'x*'"), "ANY tags.name LIKE \"x*\""),
    (NSPredicate(format: "none tags.name == 'x'"), "NOT ANY tags.name == \"x\""),
    (NSPredicate(format: "all tags.weight > 1"), "ALL tags.weight > 1"),
    (NSPredicate(format: "quakes.@count > 2"), "quakes.@count > 2"),
    (
      NSPredicate(format: "SUBQUERY(quakes, $q, $q.felt > 1 AND $q.name != nil).@count == 0"),
      "SUBQUERY(quakes, $q, $q.felt > 1 AND $q.name != nil).@count == 0"
    ),
    (
      NSPredicate(format: "time < CAST(CAST(now(), 'NSNumber') - 60, 'NSDate')"),
      "time < CAST(CAST(now(), \"NSNumber\") - 60, \"NSDate\")"
    ),
    (NSPredicate(format: "count(name) > 1"), "count:(name) > 1"),
    (NSPredicate(format: "NOT (a = 1 OR b = 2) AND c = 3"), "(NOT (a == 1 OR b == 2)) AND c == 3"),
    (NSPredicate(format: "a = 1 OR (b = 2 OR NOT c = 3)"), "a == 1 OR (b == 2 OR (NOT c == 3))"),
    (NSPredicate(format: "TRUEPREDICATE"), "TRUEPREDICATE"), (NSPredicate(format: "FALSEPREDICATE"), "FALSEPREDICATE"),
    (NSPredicate(format: "(a == 1 AND b == 2) OR NOT b == 2"), "(a == 1 AND b == 2) OR (NOT b == 2)"),
    (NSPredicate(format: "NOT (NOT a == 1)"), "NOT (NOT a == 1)"),
  ]

  private static let uuid = UUID()
  private static let a = NSPredicate(format: "a == 1")
  private static let b = NSPredicate(format: "b == 2")
  private static func all(_ parts: [NSPredicate]) -> NSPredicate {
    NSCompoundPredicate(andPredicateWithSubpredicates: parts)
  }
  private static func some(_ parts: [NSPredicate]) -> NSPredicate {
    NSCompoundPredicate(orPredicateWithSubpredicates: parts)
  }
  private static func not(_ part: NSPredicate) -> NSPredicate {
    NSCompoundPredicate(notPredicateWithSubpredicate: part)
  }

  private let reader: any FormatReading = FormatReader()

  @Test func `descriptions of predicates match those of Apple`() {
    for (predicate, text) in Self.samples {
      #expect(predicate.description == text && "\(predicate)" == text)
      #expect(reader.format(of: predicate) == text)
    }
  }

  @Test func `copies equal only their originals`() {
    let all = Self.samples.map(\.0)
    for (index, predicate) in all.enumerated() {
      let copy = predicate.copy() as? NSPredicate
      #expect(copy == predicate && copy?.hash == predicate.hash && copy?.description == predicate.description)
      for other in all[(index + 1)...] where other.description != predicate.description {
        #expect(predicate != other && other != predicate, "\(predicate) and \(other)")
      }
    }
  }

  @Test func `parsed predicates equal Foundation compounds with the same parts`() {
    let (a, b) = (Self.a, Self.b)
    let and = NSPredicate(format: "a == 1 AND b == 2")
    #expect(and == Self.all([a, b]) && and != Self.all([b, a]) && and != Self.some([a, b]))
    #expect(NSPredicate(format: "a == 1 OR NOT b == 2") == Self.some([a, Self.not(b)]))
    #expect(NSPredicate(format: "a == 1 OR NOT b == 2") != Self.some([a, Self.all([b])]))
    #expect(NSPredicate(format: "FALSEPREDICATE") != Self.some([a, b]) && a != Self.all([a]))
    #expect(NSPredicate(format: "TRUEPREDICATE") == NSPredicate(value: true))
    #expect(NSPredicate(format: "a == YES") == NSPredicate(format: "a == %@", 1.0))
  }

  @Test func `using predicates does not change the classes of Foundation`() {
    // Each of these once exchanged methods of NSPredicate and NSCompoundPredicate for the whole process.
    _ = [NSPredicate(format: "a == 1"), NSPredicate(format: "a == 1 OR b == 2"), NSPredicate(format: "TRUEPREDICATE")]
    #expect(Self.all([Self.a, Self.b]).isEqual(Self.some([])), "Foundation now compares compounds.")
    #expect(reader.format(of: Self.all([Self.a, Self.b])) == "FALSEPREDICATE", "Foundation now describes compounds.")
  }

  @Test func `archives preserve predicates and sort descriptors`() throws {
    func archived<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object? {
      let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
      return try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
    }
    for (predicate, text) in Self.samples {
      let read = try #require(try archived(predicate), "\(text)")
      #expect(read == predicate && read.description == text && read.hash == predicate.hash)
    }
    let comparison = try #require(NSPredicate(format: "felt > 5") as? NSComparisonPredicate)
    #expect(try archived(comparison)?.leftExpression.keyPath == "felt")
    for descriptor in [
      NSSortDescriptor(key: "region.name", ascending: false), NSSortDescriptor(key: nil, ascending: true),
      NSSortDescriptor(key: "name", ascending: true, selector: "localizedStandardCompare:"),
    ] {
      #expect(try archived(descriptor) == descriptor)
    }
    let compound = Self.some([Self.a, Self.not(Self.b)])
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    let read = try #require(try archived(compound))
    request.predicate = read
    #expect(request.description.contains("predicate: (a == 1 OR (NOT b == 2))"))
    // Foundation considers all compounds equal, and archives equal objects once.
    for _ in 0..<100 {
      let nested = Self.all([Self.some([Self.a, Self.not(Self.b)]), Self.not(Self.all([Self.b, Self.a]))])
      #expect(try archived(nested)?.description == "(a == 1 OR (NOT b == 2)) AND (NOT (b == 2 AND a == 1))")
    }
  }

  @Test(arguments: [
    "region.name", "SELF", "$name", "nil", "5", "\"x\"", "magnitude + 2 * felt", "quakes.@avg.magnitude", "{1, 2, 3}",
    "uppercase(code)", "average:(magnitude)", "TERNARY(felt > 5, \"far\", \"near\")",
    "SUBQUERY(quakes, $q, $q.felt > 5).@count", "tags UNION {1, 2}", "CAST(12.5, \"NSDate\")", "list[FIRST]",
  ])
  func `archives preserve expressions`(_ format: String) throws {
    let expression = NSExpression(format: format)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: ["key": expression] as NSDictionary, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(
      ofClasses: [NSDictionary.self, NSString.self, NSExpression.self], from: data)
    let found = try #require((read as? NSDictionary)?["key"] as? NSExpression)
    #expect(found == expression && found.description == expression.description && found.hash == expression.hash)
    #expect(found.expressionType == expression.expressionType)
  }

  @Test func `requests with equal compound predicates are equal`() {
    func request(_ predicate: NSPredicate) -> NSFetchRequest<NSManagedObject> {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
      request.predicate = predicate
      return request
    }
    #expect(request(Self.all([Self.a, Self.b])) == request(Self.all([Self.a, Self.b])))
    #expect(request(Self.all([Self.a, Self.b])) != request(Self.some([Self.a, Self.b])))
    #expect(request(Self.some([Self.a])) != request(NSPredicate(value: false)))
    let block = NSPredicate { _, _ in true }
    #expect(request(Self.all([block])) == request(Self.all([block])))
    #expect(request(Self.all([block])) != request(Self.all([NSPredicate { _, _ in true }])))
  }

  @Test func `the null constants print as themselves`() {
    #expect(NSExpression(forConstantValue: NSNull()).description == "<null>")
    #expect(NSExpression(forConstantValue: nil).description == "nil")
  }

  @Test func `expressions print and compare like those of Apple`() {
    let path = NSExpression(forKeyPath: "quakes.felt")
    let samples: [(NSExpression, String)] = [
      (NSExpression(forConstantValue: nil), "nil"), (NSExpression(forConstantValue: true), "1"),
      (NSExpression(forConstantValue: 5.0), "5"), (NSExpression(forConstantValue: "x"), "\"x\""), (path, "quakes.felt"),
      (NSExpression(forVariable: "x"), "$x"),
      (NSExpression(forFunction: "sum:", arguments: [path]), "sum:(quakes.felt)"),
      (NSExpression(forFunction: "now", arguments: []), "now()"), (NSExpression(format: "a + b * 2"), "a + b * 2"),
      (NSExpression(forAggregate: [path, 1]), "{quakes.felt, 1}"),
    ]
    for (index, (expression, text)) in samples.enumerated() {
      #expect(expression.description == text)
      let copy = expression.copy() as? NSExpression
      #expect(copy == expression && copy?.hash == expression.hash)
      for (other, _) in samples[(index + 1)...] { #expect(expression != other) }
    }
    #expect(NSExpression(forConstantValue: 1) == NSExpression(forConstantValue: true))
  }

  @Test func `sort descriptors equal their copies`() throws {
    let descriptors = [
      NSSortDescriptor(key: "name", ascending: true), NSSortDescriptor(key: "name", ascending: false),
      NSSortDescriptor(key: "name", ascending: true, selector: Selector("localizedCompare:")),
      NSSortDescriptor(key: nil, ascending: true),
      NSSortDescriptor(key: "name", ascending: true) { _, _ in .orderedSame },
    ]
    for (index, descriptor) in descriptors.enumerated() {
      let copy = try #require(descriptor.copy() as? NSSortDescriptor)
      #expect(copy == descriptor && copy.hash == descriptor.hash && copy.key == descriptor.key)
      for other in descriptors[(index + 1)...] { #expect(descriptor != other) }
    }
    #expect(descriptors[0].description == "(name, ascending, compare:)")
    #expect(NSSortDescriptor(key: "name", ascending: true) == descriptors[0])
  }
}

/// `predicateFormat` is deprecated in Foundation on Linux.
private protocol FormatReading {
  func format(of predicate: NSPredicate) -> String
}

private struct FormatReader: FormatReading {
  @available(*, deprecated)
  func format(of predicate: NSPredicate) -> String { predicate.predicateFormat }
}
