import CoreData
import Foundation
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataBehaviorSupport

@MainActor @Suite struct TransformableTests {
  /// Things with one attribute for each way of specifying a transformer.
  private static let model: NSManagedObjectModel = {
    ValueTransformer.setValueTransformer(PointTransformer(), forName: NSValueTransformerName("Point"))
    let names = ["plain": nil, "point": "Point", "color": NSStringFromClass(ColorTransformer.self)]
    return makeModel(
      makeEntity("Thing", names.map { transformable($0, $1) } + [transformable("old", "NSKeyedUnarchiveFromData")]))
  }()

  private static func transformable(_ name: String, _ transformer: String?) -> NSAttributeDescription {
    let attribute = attribute(name, .transformable)
    attribute.valueTransformerName = transformer
    if name == "color" { attribute.attributeValueClassName = NSStringFromClass(Color.self) }
    return attribute
  }

  @Test(arguments: Store.allCases)
  func `values are stored and read with their transformers`(_ store: Store) throws {
    let context = try store.people(Self.model).viewContext
    let thing = context.insert("Thing")
    thing.setValue(["a", 1, ["b": Date(timeIntervalSinceReferenceDate: 1)]] as [Any], forKey: "plain")
    thing.setValue(Point(x: 3, y: 4), forKey: "point")
    thing.setValue(Color(red: 7), forKey: "color")
    thing.setValue(["old"], forKey: "old")
    try context.save()
    let id = thing.objectID
    context.reset()
    let read = try context.existingObject(with: id)
    let plain = try #require(read.value(forKey: "plain") as? [Any])
    #expect(plain[0] as? String == "a" && plain[1] as? Int == 1)
    #expect((plain[2] as? [String: Date])?["b"] == Date(timeIntervalSinceReferenceDate: 1))
    #expect(read.value(forKey: "point") as? Point == Point(x: 3, y: 4))
    #expect((read.value(forKey: "color") as? Color)?.red == 7)
    #expect(read.value(forKey: "old") as? [String] == ["old"])
    read.setValue(nil, forKey: "point")
    #expect(read.value(forKey: "point") == nil && read.changedValues()["point"] is NSNull)
    #expect(read.committedValues(forKeys: ["point"])["point"] as? Point == Point(x: 3, y: 4))
    #expect(read.changedValuesForCurrentEvent()["point"] as? Point == Point(x: 3, y: 4))
  }

  @Test(arguments: Store.allCases)
  func `decimal numbers are stored in transformable attributes`(_ store: Store) throws {
    let largest = try #require(Decimal(string: "340282366920938463463374607431768211455"))
    let numbers = [1.25, -3, Decimal(string: "1e-40") ?? 0, largest, -largest * 1000, 0]
    let context = try store.people(Self.model).viewContext
    let thing = context.insert("Thing")
    thing.setValue(numbers, forKey: "plain")
    let price: [Any] = [NSDecimalNumber(string: "0.1"), 2, "x"]
    thing.setValue(["price": price, "sum": Decimal.nan] as [String: Any], forKey: "old")
    try context.save()
    context.reset()
    let read = try context.fetch("Thing")[0]
    #expect(read.value(forKey: "plain") as? [Decimal] == numbers)
    let old = try #require(read.value(forKey: "old") as? [String: Any])
    let readPrice = try #require(old["price"] as? [Any])
    #expect((readPrice[0] as? NSNumber)?.decimalValue == Decimal(string: "0.1") && readPrice[1] as? Int == 2)
    #expect((old["sum"] as? NSNumber)?.decimalValue.isNaN == true)
    read.setValue(NSDecimalNumber(string: "2.5"), forKey: "plain")
    #expect((read.value(forKey: "plain") as? NSNumber)?.decimalValue == 2.5)
  }

  @Test func `the secure transformer rejects arrays that are nested too deeply`() throws {
    let transformer = try #require(ValueTransformer(forName: .secureUnarchiveFromDataTransformerName))
    func nested(_ depth: Int) -> NSArray { (0..<depth).reduce(NSArray()) { array, _ in NSArray(object: array) } }
    let data = try #require(transformer.reverseTransformedValue(nested(8)) as? Data)
    #expect(transformer.transformedValue(data) as? NSArray == nested(8))
    #expect(transformer.reverseTransformedValue(nested(600)) == nil)
  }

  @Test(arguments: Store.allCases)
  func `setting a value calls its transformer`(_ store: Store) throws {
    let context = try store.people(Self.model).viewContext
    let thing = context.insert("Thing", ["point": Point(x: 3, y: 4)])
    PointTransformer.made.withLock { $0 = [] }
    thing.setValue(Point(x: 5, y: 6), forKey: "point")
    #expect(PointTransformer.made.withLock { $0 }.contains("5 6"))
  }

  @Test(arguments: Store.allCases)
  func `mutating a value in place does not change the object`(_ store: Store) throws {
    let context = try store.people(Self.model).viewContext
    let array = NSMutableArray(array: [1])
    let thing = context.insert("Thing", ["plain": array])
    try context.save()
    array.add(2)
    (thing.value(forKey: "plain") as? NSMutableArray)?.add(3)
    #expect(!thing.hasChanges && (thing.value(forKey: "plain") as? [Any])?.count == 1)
  }

  @Test func `a value of another class stops the program`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        _ = try Store.memory.people(Self.model).viewContext.insert("Thing", ["color": "red"])
      }
    }
    #expect(result.errorText.contains("Unacceptable type of value for attribute: property = \"color\""))
  }

  @Test func `a transformer can remove another one while it is deinitialized`() {
    final class Pair: ValueTransformer {
      let other: NSValueTransformerName
      init(_ other: NSValueTransformerName) { self.other = other }
      deinit { ValueTransformer.setValueTransformer(nil, forName: other) }
    }
    let names = (0..<2).map { _ in NSValueTransformerName("Pair-\(UUID().uuidString)") }
    ValueTransformer.setValueTransformer(PointTransformer(), forName: names[1])
    ValueTransformer.setValueTransformer(Pair(names[1]), forName: names[0])
    ValueTransformer.setValueTransformer(nil, forName: names[0])
    #expect(ValueTransformer.valueTransformerNames().allSatisfy { !names.contains($0) })
  }

  @Test func `transformers are found by name and by class`() throws {
    let name = NSValueTransformerName("Doubling-\(UUID().uuidString)")
    #expect(ValueTransformer(forName: name) == nil)
    let mine = PointTransformer()
    ValueTransformer.setValueTransformer(mine, forName: name)
    #expect(ValueTransformer(forName: name) === mine && ValueTransformer.valueTransformerNames().contains(name))
    ValueTransformer.setValueTransformer(nil, forName: name)
    #expect(ValueTransformer(forName: name) == nil)
    #expect(
      ValueTransformer(forName: NSValueTransformerName(NSStringFromClass(ColorTransformer.self))) is ColorTransformer)
    #expect(ValueTransformer(forName: NSValueTransformerName("ColorTransformer")) is ColorTransformer)
    let not = try #require(ValueTransformer(forName: .negateBooleanTransformerName))
    #expect(not.transformedValue(true) as? Bool == false && not.reverseTransformedValue(true) as? Bool == false)
    let isNil = try #require(ValueTransformer(forName: .isNilTransformerName))
    #expect(isNil.transformedValue(nil) as? Bool == true && isNil.transformedValue(1) as? Bool == false)
    let isNotNil = try #require(ValueTransformer(forName: .isNotNilTransformerName))
    #expect(isNotNil.transformedValue(nil) as? Bool == false && isNotNil.transformedValue(1) as? Bool == true)
  }

  @Test func `a secure transformer reads only allowed classes`() throws {
    let standard = try #require(ValueTransformer(forName: .secureUnarchiveFromDataTransformerName))
    let colors = ColorTransformer()
    let archive = try #require(colors.reverseTransformedValue(Color(red: 7)) as? Data)
    #expect((colors.transformedValue(archive) as? Color)?.red == 7)
    #expect(standard.transformedValue(archive) == nil && standard.reverseTransformedValue(Color(red: 7)) == nil)
    #expect(colors.reverseTransformedValue("red") == nil)
    let text = try #require(standard.reverseTransformedValue("red") as? Data)
    #expect(standard.transformedValue(text) as? String == "red" && standard.transformedValue(Data([1])) == nil)
  }
}

private struct Point: Hashable {
  var x: Int
  var y: Int
}

/// Transforms a point to its coordinates as text.
private final class PointTransformer: ValueTransformer {
  static let made = Mutex<[String]>([])

  override class func allowsReverseTransformation() -> Bool { true }
  override func transformedValue(_ value: Any?) -> Any? {
    guard let point = value as? Point else { return nil }
    let text = "\(point.x) \(point.y)"
    Self.made.withLock { $0.append(text) }
    return Data(text.utf8)
  }
  override func reverseTransformedValue(_ value: Any?) -> Any? {
    let numbers = (value as? Data).map {
      String(decoding: $0, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    }
    guard let numbers, numbers.count == 2 else { return nil }
    return Point(x: numbers[0], y: numbers[1])
  }
}

final class Color: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let red: Int
  init(red: Int) { self.red = red }
  init?(coder: NSCoder) { red = coder.decodeInteger(forKey: "red") }
  func encode(with coder: NSCoder) { coder.encode(red, forKey: "red") }
}

final class ColorTransformer: NSSecureUnarchiveFromDataTransformer {
  override class var allowedTopLevelClasses: [AnyClass] { [Color.self] }
}
