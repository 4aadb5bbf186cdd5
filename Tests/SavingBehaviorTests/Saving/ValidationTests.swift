import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Validation when saving, and its errors.
@MainActor @Suite(.serialized) struct ValidationTests {
  private func context(_ store: Store) throws -> NSManagedObjectContext {
    try store.container(of: Rules.model).viewContext
  }

  private func parts(_ count: Int, _ context: NSManagedObjectContext) -> NSSet {
    NSSet(array: (0..<count).map { _ in context.insert("Part") })
  }

  private func failure(_ context: NSManagedObjectContext) -> NSError? {
    do {
      try context.save()
      return nil
    } catch {
      return error as NSError
    }
  }

  /// A value, the code of its error, and the error's message.
  private static let broken: [(String, Any, Int, String)] = [
    ("title", "ab", NSValidationStringTooShortError, "title is too short."),
    ("title", "abcdef", NSValidationStringTooLongError, "title is too long."),
    ("title", "👍👍👍", NSValidationStringTooLongError, "title is too long."),
    ("mail", "nobody", NSValidationStringPatternMatchingError, "mail is not valid."),
    ("amount", 9, NSValidationNumberTooSmallError, "amount is too small."),
    ("amount", 21, NSValidationNumberTooLargeError, "amount is too large."),
    ("amount", 3_000_000_000, NSValidationNumberTooLargeError, "amount is too large."),
    ("small", 40_000, NSValidationNumberTooLargeError, "small is too large."),
    ("small", -40_000, NSValidationNumberTooSmallError, "small is too small."),
    ("ratio", 1.5, NSValidationNumberTooLargeError, "ratio is too large."),
    ("ratio", 0.0, NSValidationNumberTooSmallError, "ratio is too small."),
    ("day", Date(timeIntervalSinceReferenceDate: 101), NSValidationDateTooLateError, "day is too late."),
    ("day", Date(timeIntervalSinceReferenceDate: -1), NSValidationDateTooSoonError, "day is too soon."),
    ("day", Date(timeIntervalSinceReferenceDate: .infinity), NSValidationInvalidDateError, "day is not a valid date."),
    ("color", "green", NSManagedObjectValidationError, "Red or blue, please."),
    ("nick", "ab", NSManagedObjectValidationError, "Longer, please."),
    ("code", "abc", NSValidationStringTooLongError, "code is too long."),
    ("draft", "abc", NSValidationStringTooLongError, "draft is too long."),
  ]

  @Test(arguments: Store.every)
  func `each kind of rule has its error code and message`(_ store: Store) throws {
    let context = try context(store)
    let item = context.insert("Item")
    for (key, value, code, text) in Self.broken {
      item.setValue(value, forKey: key)
      let error = try #require(failure(context), "\(key) = \(value)")
      #expect(error.domain == CocoaError.errorDomain && error.code == code, "\(key) = \(value): \(error)")
      #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === item)
      #expect(error.userInfo[NSValidationKeyErrorKey] as? String == key)
      #expect((error.userInfo[NSValidationValueErrorKey] as? NSObject)?.isEqual(value) == true)
      let isOfARule = key != "small" && value as? Int != 3_000_000_000 && code != NSValidationInvalidDateError
      #expect((error.userInfo[NSValidationPredicateErrorKey] is NSPredicate) == isOfARule)
      #expect(error.localizedDescription == text)
      item.setValue(nil, forKey: key)
    }
    for (key, value) in ["title": "abc", "mail": "a@b", "amount": 10, "ratio": 0.5, "code": "ab"] as [String: Any] {
      item.setValue(value, forKey: key)
    }
    try context.save()
    item.setValue(5, forKey: "amount")
    #expect(failure(context)?.code == NSValidationNumberTooSmallError && item.isUpdated)
  }

  @Test(arguments: Store.every)
  func `count limits apply unless an optional relationship is empty`(_ store: Store) throws {
    let context = try context(store)
    let item = context.insert("Item")
    try context.save()
    for (count, code) in [(1, NSValidationRelationshipLacksMinimumCountError), (2, nil), (3, nil)] {
      item.setValue(parts(count, context), forKey: "parts")
      #expect(failure(context)?.code == code)
    }
    item.setValue(parts(4, context), forKey: "parts")
    let error = try #require(failure(context))
    #expect(error.code == NSValidationRelationshipExceedsMaximumCountError)
    #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "parts")
    #expect((error.userInfo[NSValidationValueErrorKey] as? NSSet)?.count == 4)
    item.setValue(nil, forKey: "parts")
    try context.save()
  }

  @Test(arguments: Store.every)
  func `required properties are neither nil nor below the minimum count`(_ store: Store) throws {
    let context = try context(store)
    let strict = context.insert("Strict")
    let errors = (failure(context)?.userInfo[NSDetailedErrorsKey] as? NSArray)?.compactMap { $0 as? NSError } ?? []
    let codes = errors.map { "\($0.userInfo[NSValidationKeyErrorKey] ?? "") \($0.code)" }
    #expect(codes.sorted() == ["draft 1570", "line 1580", "one 1570", "pair 1580", "text 1570"])
    #expect(errors.first { $0.code == 1570 }?.userInfo[NSValidationValueErrorKey] == nil)
    #expect(errors.contains { $0.localizedDescription == "one is a required value." })
    let two = parts(2, context)
    let line = NSOrderedSet(array: two.allObjects)
    for (key, value) in ["text": "", "draft": [1], "one": two.anyObject() as Any, "pair": two, "line": line] {
      strict.setValue(value, forKey: key)
    }
    try context.save()
    // As faults, they are read first.
    context.refreshAllObjects()
    try strict.validateForUpdate()
    for (key, empty) in [("pair", NSSet()), ("line", NSOrderedSet())] as [(String, Any)] {
      strict.setValue(empty, forKey: key)
      let error = try #require(failure(context))
      #expect(error.code == NSValidationRelationshipLacksMinimumCountError)
      #expect(error.userInfo[NSValidationKeyErrorKey] as? String == key)
      context.rollback()
    }
  }

  /// Apple's SwiftData stores contain such objects.
  @Test(arguments: Store.every)
  func `a required relationship without a minimum count may be empty`(_ store: Store) throws {
    let context = try context(store)
    let two = parts(2, context)
    let line = NSOrderedSet(array: two.allObjects)
    let values = ["text": "", "draft": 1, "one": two.anyObject() as Any, "pair": two, "line": line] as [String: Any]
    let strict = context.insert("Strict", values)
    try context.save()
    strict.setValue(two, forKey: "many")
    strict.setValue(line, forKey: "row")
    try context.save()
    strict.setValue(NSSet(), forKey: "many")
    strict.setValue(nil, forKey: "row")
    try context.save()
    #expect((strict.value(forKey: "many") as? NSSet)?.count == 0)
    #expect((strict.value(forKey: "row") as? NSOrderedSet)?.count == 0)
    var empty: AnyObject? = NSSet()
    try strict.validateValue(&empty, forKey: "many")
    empty = nil
    try strict.validateValue(&empty, forKey: "row")
    #expect(throws: CocoaError.self) { try strict.validateValue(&empty, forKey: "line") }
  }

  @Test(arguments: Store.every)
  func `several validation errors are combined`(_ store: Store) throws {
    let context = try context(store)
    let items = [context.insert("Item", ["title": "x", "amount": 3]), context.insert("Item", ["name": "refused"])]
    let error = try #require(failure(context))
    #expect(error.code == NSValidationMultipleErrorsError)
    #expect(error.localizedDescription == "Multiple validation errors occurred.")
    let reason = try #require(error.userInfo[NSLocalizedFailureReasonErrorKey] as? String)
    #expect(reason.contains("A new 'Item': title") && reason.contains("A new 'Item': amount"), "\(reason)")
    let details = try #require(error.userInfo[NSDetailedErrorsKey] as? NSMutableArray)
    let errors = details.compactMap { $0 as? NSError }
    #expect(Set(errors.map(\.code)) == [1670, 1620, 1] && errors.count == 3)
    details.add(NSError(domain: "Client", code: 9))
    #expect(details.count == 4)
    context.delete(items[0])
    #expect(failure(context)?.domain == "Items")
  }

  @Test(arguments: Store.every, ["both", "fixed"])
  func `combined errors of a client's validation are flattened`(_ store: Store, _ name: String) throws {
    let context = try context(store)
    _ = context.insert("Item", ["name": name])
    #expect(failure(context)?.code == NSValidationMultipleErrorsError)
    _ = context.insert("Item", ["title": "x"])
    let details = failure(context)?.userInfo[NSDetailedErrorsKey] as? NSArray
    #expect(details?.compactMap { ($0 as? NSError)?.code }.sorted() == [1, 2, 1670])
  }

  @Test(arguments: Store.every)
  func `updates and deletions have separate validation methods`(_ store: Store) throws {
    let context = try context(store)
    let items = [context.insert("Item", ["name": "frozen"]), context.insert("Item", ["name": "eternal"])]
    try context.save()
    items[0].setValue("x", forKey: "mail")
    context.delete(items[1])
    let details = failure(context)?.userInfo[NSDetailedErrorsKey] as? NSArray
    #expect(details?.compactMap { ($0 as? NSError)?.code }.sorted() == [4, 1680])
    items[0].setValue("a@b", forKey: "mail")
    context.rollback()
    items[0].setValue("a@b", forKey: "mail")
    #expect(failure(context)?.code == 3)
  }

  @Test(arguments: Store.every)
  func `validation that changes a value runs again`(_ store: Store) throws {
    let context = try context(store)
    let item = context.insert("Item", ["name": "trim", "code": "abc"])
    // The correction comes after the check in `super`, so the first round does not see it.
    item.setValue("a", forKey: "code")
    try context.save()
    #expect(item.value(forKey: "code") as? String == "ab")
    _ = context.insert("Item", ["name": "endless"])
    try context.save()
    let restless = context.insert("Item", ["name": "restless"])
    #expect(failure(context)?.code == NSPersistentStoreSaveError && restless.isInserted)
  }

  @Test(arguments: Store.every)
  func `explicit validation throws the same errors`(_ store: Store) throws {
    let context = try context(store)
    let item = context.insert("Item", ["title": "x"])
    let error = #expect(throws: CocoaError.self) { try item.validateForInsert() }
    #expect(error?.code.rawValue == NSValidationStringTooShortError)
    var value: AnyObject? = 30 as AnyObject
    let tooLarge = #expect(throws: CocoaError.self) { try item.validateValue(&value, forKey: "amount") }
    #expect(tooLarge?.code.rawValue == NSValidationNumberTooLargeError)
    value = 15 as AnyObject
    try item.validateValue(&value, forKey: "amount")
    value = NSSet(object: context.insert("Part"))
    let tooFew = #expect(throws: CocoaError.self) { try item.validateValue(&value, forKey: "parts") }
    #expect(tooFew?.code.rawValue == NSValidationRelationshipLacksMinimumCountError)
    value = nil
    try item.validateValue(&value, forKey: "title")
  }

  @Test(arguments: Store.every)
  func `a class can check and correct each value`(_ store: Store) throws {
    let context = try context(store)
    let entity = try #require(NSEntityDescription.entity(forEntityName: "Item", in: context))
    let item = CheckedItem(entity: entity, insertInto: context)
    item.setValue("  abc ", forKey: "title")
    item.setValue("forbidden", forKey: "name")
    Item.asked = []
    #expect(failure(context)?.code == 5)
    #expect(Set(Item.asked).isSuperset(of: ["title", "name", "parts", "first", "draft"]))
    item.setValue("fine", forKey: "name")
    try context.save()
    #expect(item.value(forKey: "title") as? String == "abc")
    Item.asked = []
    _ = context.insert("Item", ["title": "abc"])
    try context.save()
    #expect(Item.asked.isEmpty)
  }

  @Test(arguments: Store.every)
  func `setters do not validate`(_ store: Store) throws {
    let context = try context(store)
    let item = context.insert("Item", ["title": "x", "small": 70_000])
    #expect(item.value(forKey: "title") as? String == "x" && item.value(forKey: "small") as? Int == 70_000)
    context.delete(item)
    try context.save()
  }
}
