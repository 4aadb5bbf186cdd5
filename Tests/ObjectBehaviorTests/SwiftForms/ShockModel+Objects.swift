import CoreData
import Foundation

@testable import StrataBehaviorSupport

/// Shocks with values of every kind, including nil, in three regions, and one without a region.
extension ShockModel {
  static func context(_ store: Store) throws -> NSManagedObjectContext {
    let container = try store.container(of: ShockModel.model)
    let context = container.newBackgroundContext()
    try context.performAndWait { try fill(context) }
    return context
  }

  private static func fill(_ context: NSManagedObjectContext) throws {
    let names = [nil, "Alaska", "alaska", "Årø", "Nevada", "", "Chile", "a_b%c", "Nevada", "Peru 10", "Peru 9"]
    let regions = ["North", nil, "south"].map { name in
      let region = Region(context: context)
      region.name = name
      region.people = Int64(name?.count ?? 0) * 1000
      return region
    }
    regions[0].parent = regions[2]
    for (number, name) in names.enumerated() {
      let shock = Shock(context: context)
      shock.code = "c\(number)"
      shock.name = name
      fill(shock, number)
      shock.region = number == 4 ? nil : regions[number % 3]
      for weight in 0..<(number % 4) {
        let mark = Mark(context: context)
        mark.name = "m\(weight)"
        mark.weight = Double(weight) + Double(number) / 10
        mark.shock = shock
      }
    }
    try context.save()
  }

  private static func fill(_ shock: Shock, _ number: Int) {
    // The first shock keeps its initial values.
    guard number > 0 else { return }
    shock.magnitude = [4.5, -0.5, 7.25, 5][number % 4]
    shock.depth = number % 3 == 0 ? nil : NSNumber(value: Double(number) * 3.5)
    shock.felt = Int32(number * 7 % 5)
    shock.stations = Int16(number)
    shock.gap = Float(number) / 4
    shock.reviewed = number % 2 == 0
    shock.time = number == 5 ? nil : Date(timeIntervalSinceReferenceDate: Double(number * 13 % 7) * 1000)
    shock.wave = number % 4 == 1 ? Data([UInt8(number), 0]) : nil
    shock.uuid = number == 3 ? nil : UUID(uuid: (UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    shock.page = number % 2 == 0 ? nil : URL(string: "https://example.org/\(number)")
    shock.cost = number % 5 == 0 ? nil : NSDecimalNumber(value: Double(number) / 4)
    shock.kind = Shock.Kind(rawValue: Int16(number % 3)) ?? .natural
    shock.setValue(number % 3 == 0 ? "red" : nil, forKey: "alert")
  }
}
