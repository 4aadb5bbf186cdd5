import CoreData
import Foundation

/// The superclass of events with a name and a time.
class Event: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var time: Date?
}

/// A class between two others, without an entity.
class Measured: Event {
  @NSManaged var gap: Float
}

/// An earthquake with a property of every type that a class may declare.
final class Shock: Measured {
  @NSManaged var code: String
  @NSManaged var magnitude: Double
  @NSManaged var depth: NSNumber?
  @NSManaged var felt: Int32
  @NSManaged var stations: Int16
  @NSManaged var reviewed: Bool
  @NSManaged var wave: Data?
  @NSManaged var uuid: UUID?
  @NSManaged var page: URL?
  @NSManaged var cost: NSDecimalNumber?
  @NSManaged var region: Region?
  @NSManaged var marks: Set<Mark>
}

/// The region of a shock. Its entity has another name than the class.
final class Region: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var people: Int64
  @NSManaged var shocks: NSSet?
  @NSManaged var parent: Region?
}

final class Mark: NSManagedObject {
  @NSManaged var name: String
  @NSManaged var weight: Double
  @NSManaged var shock: Shock
}

/// Properties that are not in the model, and properties that return a modeled one unchanged.
extension Shock {
  enum Kind: Int16, Codable, Sendable { case natural, blast, collapse }

  /// An accessor as Apple's guide writes it.
  var kind: Kind {
    get {
      willAccessValue(forKey: "rawKind")
      defer { didAccessValue(forKey: "rawKind") }
      return Kind(rawValue: Int16(truncating: primitiveValue(forKey: "rawKind") as? NSNumber ?? 0)) ?? .natural
    }
    set {
      willChangeValue(forKey: "rawKind")
      setPrimitiveValue(newValue.rawValue, forKey: "rawKind")
      didChangeValue(forKey: "rawKind")
    }
  }

  var opposite: Kind { Kind(rawValue: 2 - kind.rawValue) ?? .natural }
  var settled: Kind { kind == .collapse ? .blast : kind }
  var sureKind: Kind { reviewed ? kind : .natural }
  var alert: String? { value(forKey: "alert") as? String }
  enum Color: String, Codable, Sendable { case green, yellow, red }
  var color: Color? { alert.flatMap(Color.init) }
  var plainColor: Color? { color == .red ? .yellow : color }

  struct Label: RawRepresentable, Equatable, Codable, Sendable { var rawValue: String }
  var codeLabel: Label { Label(rawValue: code) }
  var loudLabel: Label { Label(rawValue: code.uppercased()) }
  var shortLabel: Label { Label(rawValue: String(code.prefix(60))) }

  struct Signs: OptionSet {
    var rawValue: Int32
    static let seen = Signs(rawValue: 1 << 20)
  }
  var signs: Signs { Signs(rawValue: felt) }
  var unseenSigns: Signs { signs.subtracting(.seen) }

  struct Rank: Comparable {
    var place: Double
    static func < (left: Rank, right: Rank) -> Bool { left.place < right.place }
  }
  var rank: Rank { Rank(place: -magnitude) }

  var isStrong: Bool { magnitude > 5 }
  var isUnseen: Bool { !reviewed }
  var label: String { "\(name ?? "") \(magnitude)" }
  var loudName: String? { name?.uppercased() }
  var sureName: String? { reviewed ? name : nil }
  var home: Region? { region }
  var constant: Int { 7 }
}
