import CoreData
import Foundation
import StrataTestSupport

/// Saves repeatedly, each time one to four items and the commit's row.
struct Writing {
  private let context: NSManagedObjectContext
  private let ledger: Ledger
  private let life: Int
  private let isSound: @Sendable () -> Bool

  /// - Parameter isSound: Whether the system works, so that every failure is an error.
  init(_ container: NSPersistentContainer, _ ledger: Ledger, _ life: Int, isSound: @escaping @Sendable () -> Bool) {
    context = container.newBackgroundContext()
    context.automaticallyMergesChangesFromParent = true
    context.transactionAuthor = "life \(life)"
    self.ledger = ledger
    self.life = life
    self.isSound = isSound
  }

  /// - Parameters:
  ///   - first: The number of the first save.
  ///   - step: The difference between the numbers of two saves, which other threads use.
  func run(pause: Int, from first: Int, by step: Int, until isOver: () -> Bool, _ random: inout SeededRandom) throws {
    var number = first - step
    while !isOver() {
      usleep(UInt32.random(in: 0...UInt32(pause * 2), using: &random))
      number += step
      do {
        try context.performAndWait { try commit(number, &random) }
      } catch let error where !isSound() {
        ledger.note(error)
        context.performAndWait { context.rollback() }
      }
    }
  }

  private func commit(_ number: Int, _ random: inout SeededRandom) throws {
    // Writes both to objects that were merged about a hundred times and to newly fetched ones.
    if number % 97 == 0 { context.reset() }
    let count = Int.random(in: 1...4, using: &random)
    let keys = Set((0..<count).map { _ in Int.random(in: 0..<SoakStore.keys, using: &random) })
    let operations = try keys.sorted().map { try performOperation(on: $0, &random) }
    let row = NSEntityDescription.insertNewObject(forEntityName: "Commit", into: context)
    row.setValue(life, forKey: "life")
    row.setValue(number, forKey: "number")
    ledger.write("W \(number) \(operations.joined(separator: " "))")
    let began = monotonicNow()
    do {
      try context.save()
      ledger.write("A \(number) \(began) \(monotonicNow())")
    } catch let error as CocoaError where Self.refusals.contains(error.errorCode) {
      ledger.write("R \(number) \(error.errorCode)")
      context.rollback()
    } catch let error where !isSound() {
      ledger.write("E \(number)")
      throw error
    }
  }

  /// Errors of saves that wrote nothing, because another process changed a row since it was read, or inserted one with the
  /// same key.
  private static let refusals = [NSManagedObjectMergeError, NSManagedObjectConstraintMergeError]

  private func performOperation(on key: Int, _ random: inout SeededRandom) throws -> String {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.predicate = NSPredicate(format: "key == %d", key)
    let item: NSManagedObject
    if let known = try context.fetch(request).first {
      item = known
      switch Int.random(in: 0..<10, using: &random) {
      case 0...1:
        context.delete(item)
        return "-\(key)"
      case 2...3: item.setValue(try randomObject("Place", of: SoakStore.places, &random), forKey: "place")
      case 4...5: item.mutableSetValue(forKey: "tags").add(try randomObject("Tag", of: SoakStore.tags, &random))
      default: break
      }
    } else {
      item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
      item.setValue(key, forKey: "key")
      item.setValue(try randomObject("Place", of: SoakStore.places, &random), forKey: "place")
      item.setValue(Set([try randomObject("Tag", of: SoakStore.tags, &random)]), forKey: "tags")
    }
    item.setValue(Int.random(in: 0..<1_000_000_000, using: &random), forKey: "value")
    return "=" + (ItemState(item)?.text ?? "")
  }

  private func randomObject(_ entity: String, of count: Int, _ random: inout SeededRandom) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "number == %d", Int.random(in: 0..<count, using: &random))
    guard let found = try context.fetch(request).first else { throw CocoaError(.validationMissingMandatoryProperty) }
    return found
  }
}
