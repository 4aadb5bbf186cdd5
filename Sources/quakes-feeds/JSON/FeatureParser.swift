import Foundation
import StrataQuakes

/// Parses one GeoJSON feature into an event's draft, or one record of another list of events into its values.
///
/// A value of the wrong type is skipped, so that the scanner always ends up after the feature. Only a syntax error
/// throws.
struct FeatureParser {
  var draft: EventDraft
  let latest: Date
  /// nil for GeoJSON.
  let dialect: RecordDialect?
  /// The values of the record that was parsed last.
  private(set) var record = EventRecord()

  private let ofFeature = Member.ofFeature
  private let ofProperties = Member.ofProperties
  private let ofGeometry = Member.ofGeometry

  /// - Parameter latest: the latest time that an event may have.
  init(latest: Date, dialect: RecordDialect? = nil) {
    (self.latest, self.dialect) = (latest, dialect)
    draft = EventDraft(latest: latest)
  }

  /// Parses the feature.
  ///
  /// - Returns: false if it is not an object.
  mutating func read(from scanner: inout JSONScanner) throws(JSONFailure) -> Bool {
    draft = EventDraft(latest: latest)
    guard try scanner.peek() == UInt8(ascii: "{") else {
      try scanner.skipValue()
      return false
    }
    if let dialect {
      try readRecord(of: &scanner, names: dialect.names)
    } else {
      try readMembers(of: &scanner, isMessage: true)
    }
    return true
  }

  private mutating func readRecord(of scanner: inout JSONScanner, names: JSONKeyTable<String>) throws(JSONFailure) {
    record = EventRecord(start: scanner.offset)
    guard try scanner.enterObject() else { return }
    repeat {
      if let name = names[try scanner.key()] {
        scanner.skipBlanks()
        let position = scanner.offset
        record.values[name] = EventRecord.Value(value: try value(of: &scanner), position: position)
      } else {
        try scanner.skipValue()
      }
    } while try scanner.nextMember()
  }
}

extension FeatureParser {
  private enum Member: Sendable {
    case properties, geometry, coordinates, id, action, data

    /// `action` and `data` are the EMSC's: a message that holds a feature.
    static let ofFeature = JSONKeyTable<Member>([
      ("id", .id), ("properties", .properties), ("geometry", .geometry), ("action", .action), ("data", .data),
    ])

    static let ofProperties = JSONKeyTable<EventField>(ofUSGS + ofGeoNet + ofEMSC)

    /// The ID and the position are elsewhere, except for the depth of some services.
    private static let ofUSGS = StoredField.all.filter { ![.identifier, .longitude, .latitude].contains($0.field) }
      .compactMap { stored in stored.usgs.map { ($0.name, EventField.stored(stored.field)) } }

    private static let ofGeoNet: [(String, EventField)] = [
      ("magnitude", .stored(.magnitude)), ("locality", .stored(.place)), ("publicID", .publicID),
      ("quality", .quality),
    ]

    private static let ofEMSC: [(String, EventField)] = [
      ("lat", .stored(.latitude)), ("lon", .stored(.longitude)), ("magtype", .stored(.magnitudeType)),
      ("flynn_region", .stored(.place)), ("lastupdate", .stored(.updated)), ("unid", .unid), ("evtype", .evtype),
      ("auth", .stored(.locationSource)),
    ]

    /// The products that a detail document has of an event.
    static let products = JSONKey("products")

    static let ofGeometry = JSONKeyTable<Member>([("coordinates", .coordinates)])
  }

  /// - Parameter isMessage: whether the object may be a message; messages do not contain messages.
  private mutating func readMembers(of scanner: inout JSONScanner, isMessage: Bool) throws(JSONFailure) {
    guard try scanner.enterObject() else { return }
    repeat {
      let key = try scanner.key()
      switch ofFeature[key] {
      case .id: try take(.stored(.identifier), of: &scanner)
      case .properties: try readProperties(of: &scanner)
      case .geometry: try readGeometry(of: &scanner)
      case .action where isMessage: try readAction(of: &scanner)
      case .data where isMessage: try readMessage(of: &scanner)
      default:
        // Some programs write the properties alone. "type" is then that of GeoJSON.
        if let field = ofProperties[key], field != .stored(.type) {
          try take(field, of: &scanner)
        } else {
          try scanner.skipValue()
        }
      }
    } while try scanner.nextMember()
  }

  private mutating func readMessage(of scanner: inout JSONScanner) throws(JSONFailure) {
    guard try scanner.peek() == UInt8(ascii: "{") else { return try scanner.skipValue() }
    try readMembers(of: &scanner, isMessage: false)
  }

  /// `create`, `update` or `delete`.
  private mutating func readAction(of scanner: inout JSONScanner) throws(JSONFailure) {
    let position = scanner.offset
    if try value(of: &scanner) == .text("delete") { draft.take(.status, .text("deleted"), at: position) }
  }

  private mutating func readProperties(of scanner: inout JSONScanner) throws(JSONFailure) {
    guard try begins(UInt8(ascii: "{"), .properties, in: &scanner), try scanner.enterObject() else { return }
    repeat {
      let key = try scanner.key()
      if let field = ofProperties[key] {
        try take(field, of: &scanner)
      } else if key == Member.products {
        try readProducts(of: &scanner)
      } else {
        try scanner.skipValue()
      }
    } while try scanner.nextMember()
  }

  /// Lists of products by their type, the preferred product of a list first.
  private mutating func readProducts(of scanner: inout JSONScanner) throws(JSONFailure) {
    guard try scanner.peek() == UInt8(ascii: "{") else { return try scanner.skipValue() }
    guard try scanner.enterObject() else { return }
    repeat {
      if let product = EventProduct.ofType[try scanner.key()], try scanner.peek() == UInt8(ascii: "[") {
        try readFirst(product, of: &scanner)
      } else {
        try scanner.skipValue()
      }
    } while try scanner.nextMember()
  }

  private mutating func readFirst(_ product: EventProduct, of scanner: inout JSONScanner) throws(JSONFailure) {
    guard try scanner.enterArray() else { return }
    var isFirst = true
    repeat {
      if isFirst, try scanner.peek() == UInt8(ascii: "{") {
        try read(product, of: &scanner)
      } else {
        try scanner.skipValue()
      }
      isFirst = false
    } while try scanner.nextElement()
  }

  private mutating func read(_ product: EventProduct, of scanner: inout JSONScanner) throws(JSONFailure) {
    guard try scanner.enterObject() else { return }
    repeat {
      guard ofFeature[try scanner.key()] == .properties, try scanner.peek() == UInt8(ascii: "{") else {
        try scanner.skipValue()
        continue
      }
      try readRecord(of: &scanner, names: EventProduct.propertyNames)
      product.fill(&draft, from: record)
    } while try scanner.nextMember()
  }

  private mutating func readGeometry(of scanner: inout JSONScanner) throws(JSONFailure) {
    guard try begins(UInt8(ascii: "{"), .coordinates, in: &scanner), try scanner.enterObject() else { return }
    repeat {
      if ofGeometry[try scanner.key()] == .coordinates {
        try readCoordinates(of: &scanner)
      } else {
        try scanner.skipValue()
      }
    } while try scanner.nextMember()
  }

  /// `[longitude, latitude, depth]`; only depth may be null or absent.
  private mutating func readCoordinates(of scanner: inout JSONScanner) throws(JSONFailure) {
    guard try begins(UInt8(ascii: "["), .coordinates, in: &scanner), try scanner.enterArray() else { return }
    var index = 0
    repeat {
      switch index {
      case 0: try take(.stored(.longitude), of: &scanner)
      case 1: try take(.stored(.latitude), of: &scanner)
      case 2:
        scanner.skipBlanks()
        let position = scanner.offset
        draft.takeThirdCoordinate(try value(of: &scanner), at: position)
      default: try scanner.skipValue()
      }
      index += 1
    } while try scanner.nextElement()
  }

  private mutating func take(_ field: EventField, of scanner: inout JSONScanner) throws(JSONFailure) {
    scanner.skipBlanks()
    let position = scanner.offset
    draft.take(field, try value(of: &scanner), at: position)
  }

  private func value(of scanner: inout JSONScanner) throws(JSONFailure) -> FieldValue {
    switch try scanner.peek() {
    case UInt8(ascii: "\""): return .text(try scanner.string())
    case UInt8(ascii: "-"), 0x30...0x39: return .number(try scanner.number())
    case UInt8(ascii: "n"):
      try scanner.passWord("null")
      return .null
    default:
      try scanner.skipValue()
      return .other
    }
  }

  /// Whether an object or a list begins here; anything else is skipped, and refused unless it is null.
  private mutating func begins(
    _ bracket: UInt8, _ field: EventField, in scanner: inout JSONScanner
  ) throws(JSONFailure) -> Bool {
    if try scanner.peek() == bracket { return true }
    if try scanner.passNull() { return false }
    draft.refuse(field, .wrongType, at: scanner.offset)
    try scanner.skipValue()
    return false
  }
}
