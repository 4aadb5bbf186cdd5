import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Extreme numbers as arguments of every API, which must not crash the program.
@MainActor @Suite struct ExtremeNumberTests {
  private func extremes(_ store: Store) throws -> NSManagedObjectContext {
    let context = try store.container().viewContext
    for number in 0..<5 { _ = context.insert("Quake", ["code": "q\(number)", "felt": number]) }
    try context.save()
    return context
  }

  private func request(_ change: (NSFetchRequest<NSManagedObject>) -> Void) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    change(request)
    return request
  }

  private func codes(_ objects: [NSManagedObject]) -> [String] {
    objects.map { $0.value(forKey: "code") as? String ?? "" }
  }

  private static let all = ["q0", "q1", "q2", "q3", "q4"]

  /// `Int.max` means all, and a negative number is ignored.
  @Test(arguments: Store.every, [true, false])
  func `fetch limits and offsets can be any number`(_ store: Store, _ isChanged: Bool) throws {
    let context = try extremes(store)
    if isChanged { try context.fetch("Quake", "code == 'q0'").first?.setValue(9, forKey: "felt") }
    let windows: [(limit: Int, offset: Int, expected: [String])] = [
      (.max, 0, Self.all), (.max, 3, ["q3", "q4"]), (.max, .max, []), (0, .max, []), (2, .max, []), (1, 1, ["q1"]),
      (.max - 1, 4, ["q4"]), (.min, .min, Self.all), (-1, -1, Self.all), (-1, 4, ["q4"]), (2, -3, ["q0", "q1"]),
    ]
    for (limit, offset, expected) in windows {
      let window = request { ($0.fetchLimit, $0.fetchOffset) = (limit, offset) }
      #expect(codes(try context.fetch(window)) == expected, "\(limit) from \(offset)")
      #expect(try context.count(for: window) == expected.count, "\(limit) from \(offset)")
      window.sortDescriptors = []
      #expect(try context.fetch(window).count == expected.count, "\(limit) from \(offset)")
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Quake")
      (ids.resultType, ids.fetchLimit, ids.fetchOffset) = (.managedObjectIDResultType, limit, offset)
      #expect(try context.fetch(ids).count == expected.count, "\(limit) from \(offset)")
      let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Quake")
      (dictionaries.resultType, dictionaries.propertiesToFetch) = (.dictionaryResultType, ["code"])
      (dictionaries.fetchLimit, dictionaries.fetchOffset) = (limit, offset)
      #expect(try context.fetch(dictionaries).count == expected.count, "\(limit) from \(offset)")
    }
  }

  @Test(arguments: Store.every, [Int.max, .max / 2 + 1, .min, -1, 0, 1])
  func `fetch batch sizes can be any number`(_ store: Store, _ size: Int) throws {
    let context = try extremes(store)
    context.reset()
    let batched = request { ($0.fetchBatchSize, $0.fetchLimit) = (size, .max) }
    #expect(codes(try context.fetch(batched)) == Self.all)
    context.reset()
    #expect(codes(Array(try context.fetchedObjects(batched))) == Self.all)
  }

  @Test(arguments: Store.allCases)
  func `fetch limits and offsets across stores can be any number`(_ store: Store) throws {
    let coordinator = try store.coordinator([nil, nil])
    let context = coordinator.context()
    for (number, home) in coordinator.persistentStores.enumerated() {
      context.assign(context.insert("Team", ["name": "t\(number)"]), to: home)
    }
    try context.save()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    for (limit, offset, count) in [(Int.max, 1, 1), (.max, .max, 0), (.min, .min, 2), (0, .max, 0), (.max, 0, 2)] {
      (request.fetchLimit, request.fetchOffset) = (limit, offset)
      #expect(try context.fetch(request).count == count && context.count(for: request) == count)
    }
  }

  @Test(arguments: Store.allCases, [1e300, -1e300, .infinity, -.infinity, 1e19, -1e19])
  func `dates of any value can be saved`(_ store: Store, _ seconds: Double) throws {
    let context = try extremes(store)
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let unsaved = context.insert("Quake", ["code": "new", "time": date])
    #expect(unsaved.description.contains("time = "))
    if seconds.isFinite {
      try context.save()
    } else {
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code.rawValue == 1650 && "\(error as Any)".contains("time"))
      context.rollback()
      // Bypasses validation, as other programs may.
      _ = try context.execute(NSBatchInsertRequest(entityName: "Quake", objects: [["code": "new", "time": date]]))
    }
    context.reset()
    let found = try context.fetch("Quake", "time == %@", [date])
    #expect(codes(found) == ["new"] && found.first?.value(forKey: "time") as? Date == date)
    #expect(found.first?.description.contains("time = ") == true)
    #expect(try context.fetch("Quake", "time BETWEEN %@", [[date, date]]).count == 1)
    #expect(try context.fetch("Quake", "time + 1 >= %@", [date]).count == 1)
    let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Quake")
    (dictionaries.resultType, dictionaries.propertiesToFetch) = (.dictionaryResultType, ["time"])
    dictionaries.predicate = NSPredicate(format: "time != nil")
    #expect(try context.fetch(dictionaries).first?["time"] as? Date == date)
    _ = context.insert("Quake", ["code": "newer", "time": date])
    #expect(try context.fetch("Quake", "time == %@", [date]).count == 2)
    #expect(NSPredicate(format: "time == %@", date as NSDate).evaluate(with: found.first))
  }

  /// Foundation traps when it describes such a date; this framework must not.
  @Test(arguments: Store.allCases)
  func `a save rejects a NaN date`(_ store: Store) throws {
    let context = try extremes(store)
    let quake = context.insert("Quake", ["code": "new", "time": Date(timeIntervalSinceReferenceDate: .nan)])
    #expect(quake.description.contains("time = nan"))
    #expect(try context.fetch("Quake", "time > %@", [Date.distantPast]).isEmpty)
    let error = #expect(throws: CocoaError.self) { try context.save() }
    #expect(error?.code.rawValue == 1650 && "\(error as Any)".contains("time"))
  }

  @Test(arguments: Store.allCases, [Double.infinity, -.infinity, .nan, 1e300])
  func `decimal attributes accept any number`(_ store: Store, _ number: Double) throws {
    let context = try extremes(store)
    let quake = context.insert("Quake", ["code": "new", "cost": NSNumber(value: number)])
    #expect((quake.value(forKey: "cost") as? NSDecimalNumber)?.decimalValue.isNaN == true)
    let request = NSBatchInsertRequest(
      entityName: "Quake", objects: [["code": "batch", "cost": number, "felt": 1, "magnitude": number]])
    let result = try context.execute(request) as? NSBatchInsertResult
    #expect(result?.result as? Bool == true)
  }

  @Test(arguments: Store.every)
  func `overflowing arithmetic returns a real number or nil`(_ store: Store) throws {
    let context = try extremes(store)
    let maximum = Int64.max
    let minimum = Int64.min
    let holds = [
      "felt + \(maximum) >= 0", "felt * \(maximum) >= 0", "felt - \(maximum) < 5", "\(minimum) - felt < 0",
      "-(felt + \(minimum)) != 0",
      "abs(\(minimum) + felt) > 0", "abs(\(minimum)) > 0", "modulus:by:(felt, 0) == nil",
      "modulus:by:(\(minimum), -1) == 0",
      "felt / 0 == nil", "\(minimum) / -1 > 0", "felt << 64 == 0", "felt << \(maximum) == 0", "felt >> \(minimum) == 0",
      "(felt | 1e300) == \(maximum)", "(felt & -1e300) == 0", "felt ** 1e300 != -1", "exp(felt * 1e300) != -1",
      "{1, 2}[999999999999] == nil", "{1, 2}[felt * 1e300 - 1e300] == nil OR felt >= 1",
      "CAST(1e300, 'NSDate') > CAST(felt, 'NSDate')", "CAST(felt * 1e300, 'NSString') != nil",
      "randomn(\(maximum)) >= 0",
      "TERNARY(felt > \(maximum), 1, 0) == 0", "sum({\(maximum), \(maximum), 1}) > \(maximum)", "floor(1e300) > felt",
    ]
    for format in holds {
      #expect(NSPredicate(format: format).evaluate(with: ["felt": 3]), "\(format)")
      guard !format.contains("][") && !format.contains("}[") && !format.contains("randomn") else { continue }
      #expect(try context.fetch("Quake", format).count == 5, "\(format)")
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1])
  func `timeouts and staleness intervals can have any length`(_ seconds: Double) throws {
    let container = NSPersistentContainer(name: "Quakes", managedObjectModel: Quakes.model)
    let folder = try TemporaryFolder.make()
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Quakes.sqlite"))
    description.timeout = seconds
    container.persistentStoreDescriptions = [description]
    guard seconds > 0 else {
      // Without waiting, loading may succeed or fail.
      try? container.load()
      return #expect(description.timeout.bitPattern == seconds.bitPattern || seconds.isNaN)
    }
    try container.load()
    container.viewContext.stalenessInterval = seconds
    let quake = container.viewContext.insert("Quake", ["code": "a"])
    try container.viewContext.save()
    container.viewContext.refresh(quake, mergeChanges: false)
    #expect(quake.value(forKey: "code") as? String == "a")
  }
}
