/// The types of a module without available sources, by the names that programs use.
package struct ImportedModule: Sendable {
  /// The name to import.
  package let name: String
  var types: [String: NominalType] = [:]
  var aliases: [String: SwiftType] = [:]

  package init(_ name: String) { self.name = name }

  /// Adds a type.
  /// - Parameters:
  ///   - kind: `C` for a class, `V` a structure, `O` an enumeration, `P` a protocol.
  ///   - home: the module in the type's symbols, which may differ from the one that re-exports it.
  package mutating func add(_ name: String, kind: Character, home: String) {
    guard let kind = NominalKind(rawValue: kind) else { return }
    types[name] = NominalType(name, kind: kind, in: .module(home))
  }

  mutating func add(_ names: String, kind: NominalKind, home: String) {
    for name in names.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      types[String(name)] = NominalType(String(name), kind: kind, in: .module(home))
    }
  }
}

extension ImportedModule {
  /// The standard library's types that a property may have; some have a symbol letter of their own.
  static let swift: ImportedModule = {
    var module = ImportedModule("Swift")
    module.add(
      """
      Int8 Int16 Int32 Int64 Int128 UInt8 UInt16 UInt32 UInt64 UInt128 Float16 Float80 AnyHashable ContiguousArray
      StaticString Duration
      """, kind: .structure, home: "Swift")
    module.add("Result Never", kind: .enumeration, home: "Swift")
    module.add("AnyKeyPath PartialKeyPath KeyPath", kind: .class, home: "Swift")
    module.add(
      """
      Error Sendable CaseIterable CustomStringConvertible CustomDebugStringConvertible LosslessStringConvertible
      Identifiable OptionSet SetAlgebra AdditiveArithmetic CodingKey
      """, kind: .protocol, home: "Swift")
    let letters: [(String, NominalKind, Character)] = [
      ("Array", .structure, "a"), ("Bool", .structure, "b"), ("Dictionary", .structure, "D"),
      ("Double", .structure, "d"), ("Float", .structure, "f"), ("Set", .structure, "h"), ("Int", .structure, "i"),
      ("Character", .structure, "J"), ("ClosedRange", .structure, "N"), ("Range", .structure, "n"),
      ("ObjectIdentifier", .structure, "O"), ("Optional", .enumeration, "q"), ("String", .structure, "S"),
      ("Substring", .structure, "s"), ("UInt", .structure, "u"), ("Encodable", .protocol, "E"),
      ("Decodable", .protocol, "e"), ("Hashable", .protocol, "H"), ("Comparable", .protocol, "L"),
      ("Equatable", .protocol, "Q"), ("RawRepresentable", .protocol, "Y"), ("StringProtocol", .protocol, "y"),
      ("BinaryInteger", .protocol, "z"), ("Numeric", .protocol, "j"),
    ]
    for (name, kind, letter) in letters {
      module.types[name] = NominalType(name, kind: kind, in: .module("Swift"), letter: letter)
    }
    let coding = ["Decodable", "Encodable"].compactMap { module.types[$0] }
    module.aliases = [
      "Any": .existential([], isObject: false), "AnyObject": .existential([], isObject: true), "Void": .tuple([]),
      "Codable": .existential(coding, isObject: false),
    ]
    if let float = module.types["Float"], let double = module.types["Double"] {
      module.aliases["Float32"] = .nominal(float, [])
      module.aliases["Float64"] = .nominal(double, [])
    }
    return module
  }()

  /// The types that `import CoreData` provides.
  static let coreData: ImportedModule = {
    var module = ImportedModule("CoreData")
    module.add("NSManagedObject NSManagedObjectID NSManagedObjectContext", kind: .class, home: "StrataObjectGraph")
    module.add(
      "NSManagedObjectModel NSEntityDescription NSAttributeDescription NSRelationshipDescription", kind: .class,
      home: "StrataManagedModel")
    module.add(
      "ValueTransformer NSSecureUnarchiveFromDataTransformer", kind: .class, home: "StrataFoundationGaps")
    module.add("NSEntityMigrationPolicy", kind: .class, home: "StrataStoreCoordination")
    return module
  }()
}

extension ImportedModule {
  /// Defines a type alias for a type of the module or of Swift.
  package mutating func alias(_ name: String, of type: String) {
    guard let nominal = types[type] ?? Self.swift.types[type] else { return }
    aliases[name] = .nominal(nominal, [])
  }
}
