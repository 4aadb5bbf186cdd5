import CoreData
import Foundation

@testable import StrataBehaviorSupport

/// An earthquake whose magnitude and place are composite attributes.
final class Jolt: NSManagedObject {
  @NSManaged var code: String?
  @NSManaged var magnitude: [String: Any]?
  @NSManaged var epicenter: [String: Any]?
  @NSManaged var zone: NSManagedObject?
}

/// A small world with composite attributes: jolts, and the zones that they are in.
enum Jolts {
  /// `magnitude`: `richter`, `kind` ("mw" at first), `felt` with `by` and `first`. `epicenter`: `latitude` and `longitude`,
  /// which it must have, `depth` of at least 0, and `codes` of a sort that no column knows.
  static let model: NSManagedObjectModel = {
    let (jolt, zone) = (NSEntityDescription(), NSEntityDescription())
    (jolt.name, jolt.managedObjectClassName, zone.name) = ("Jolt", NSStringFromClass(Jolt.self), "Zone")
    let (home, jolts) = (NSRelationshipDescription(), NSRelationshipDescription())
    (home.name, home.destinationEntity, home.maxCount) = ("zone", zone, 1)
    (jolts.name, jolts.destinationEntity) = ("jolts", jolt)
    (home.inverseRelationship, jolts.inverseRelationship) = (jolts, home)
    let depth = attribute("depth", .doubleAttributeType)
    depth.setValidationPredicates([NSPredicate(format: "SELF >= 0")], withValidationWarnings: [])
    jolt.properties = [
      attribute("code", .stringAttributeType), magnitude,
      composite(
        "epicenter",
        [
          attribute("latitude", .doubleAttributeType, optional: false),
          attribute("longitude", .doubleAttributeType, optional: false), depth,
          attribute("codes", .transformableAttributeType),
        ]), home,
    ]
    zone.properties = [
      attribute("name", .stringAttributeType), composite("center", [attribute("latitude", .doubleAttributeType)]),
      jolts,
    ]
    let model = NSManagedObjectModel()
    model.entities = [jolt, zone]
    return model
  }()

  private static var magnitude: NSAttributeDescription {
    let kind = attribute("kind", .stringAttributeType)
    kind.defaultValue = "mw"
    return composite(
      "magnitude",
      [
        attribute("richter", .doubleAttributeType), kind,
        composite("felt", [attribute("by", .integer32AttributeType), attribute("first", .dateAttributeType)]),
      ])
  }

  static func attribute(_ name: String, _ type: NSAttributeType, optional: Bool = true) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, optional)
    return attribute
  }

  static func composite(
    _ name: String, _ elements: [NSAttributeDescription], was: String? = nil, optional: Bool = true
  ) -> NSCompositeAttributeDescription {
    let composite = NSCompositeAttributeDescription()
    (composite.name, composite.elements, composite.isOptional) = (name, elements, optional)
    if let was { composite.renamingIdentifier = was }
    return composite
  }
}

extension NSManagedObject {
  func part(_ keyPath: String) -> NSObject? { value(forKeyPath: keyPath) as? NSObject }
}

extension NSManagedObjectContext {
  /// Jolts with Richter magnitudes, whose codes are these numbers.
  func insertJolts(_ magnitudes: [Double?]) {
    for magnitude in magnitudes {
      let code = magnitude.map { "\($0)" } ?? "none"
      _ = insert("Jolt", ["code": code, "magnitude": magnitude.map { ["richter": $0] } ?? NSNull()])
    }
  }
}
