import CoreData
import Foundation
import StrataTestSupport

@testable import StrataBehaviorSupport

/// An earthquake whose magnitude and place are composite attributes.
final class Jolt: NSManagedObject {
  @NSManaged var code: String?
  @NSManaged var magnitude: [String: Any]?
  @NSManaged var epicenter: [String: Any]?
  @NSManaged var zone: NSManagedObject?
}

/// A model of jolts with composite attributes, and of their zones.
enum Jolts {
  /// `magnitude` has `richter`, `kind` (by default "mw"), and `felt` with `by` and `first`. `epicenter` has the required
  /// `latitude` and `longitude`, `depth` of at least 0, and the transformable `codes`.
  static let model: NSManagedObjectModel = {
    let depth = attribute("depth", .double)
    depth.setValidationPredicates([NSPredicate(format: "SELF >= 0")], withValidationWarnings: [])
    let epicenter = [
      attribute("latitude", .double, optional: false), attribute("longitude", .double, optional: false), depth,
      attribute("codes", .transformable),
    ]
    return makeModel(
      makeEntity("Jolt", of: Jolt.self, [attribute("code"), magnitude, compositeAttribute("epicenter", epicenter)]),
      makeEntity("Zone", [attribute("name"), compositeAttribute("center", [attribute("latitude", .double)])])
    ).relate("Zone", "jolts", .many, "Jolt", "zone", .one)
  }()

  private static var magnitude: NSAttributeDescription {
    compositeAttribute(
      "magnitude",
      [
        attribute("richter", .double), attribute("kind", default: "mw"),
        compositeAttribute("felt", [attribute("by", .integer32), attribute("first", .date)]),
      ])
  }
}

extension NSManagedObject {
  func part(_ keyPath: String) -> NSObject? { value(forKeyPath: keyPath) as? NSObject }
}

extension NSManagedObjectContext {
  /// Inserts jolts with Richter magnitudes, whose codes are these numbers.
  func insertJolts(_ magnitudes: [Double?]) {
    for magnitude in magnitudes {
      let code = magnitude.map { "\($0)" } ?? "none"
      _ = insert("Jolt", ["code": code, "magnitude": magnitude.map { ["richter": $0] } ?? NSNull()])
    }
  }
}
