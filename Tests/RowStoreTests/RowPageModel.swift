import Foundation
import StrataManagedModel
import StrataRowStore
import StrataTestSupport

/// One entity with a slot of every kind, and one with more slots than a word has bits.
enum RowPageModel {
  static let everything: EntityLayout = layout("Everything")
  static let wide: EntityLayout = layout("Wide")

  private static let model: NSManagedObjectModel = {
    let kinds: [(String, NSAttributeDescription.AttributeType)] = [
      ("amount", .decimal), ("bytes", .binaryData), ("flag", .boolean), ("large", .integer64), ("link", .uri),
      ("medium", .integer32), ("moment", .date), ("real", .double), ("shape", .transformable), ("single", .float),
      ("small", .integer16), ("text", .string), ("token", .uuid),
    ]
    let model = makeModel(
      makeEntity("Everything", kinds.map { attribute($0, $1) }),
      makeEntity("Wide", (0..<130).map { attribute("text\($0)") })
    ).relate("Everything", "other", .one, "Everything")
    model.freeze()
    return model
  }()

  private static func layout(_ name: String) -> EntityLayout {
    guard let layout = model.entitiesByName[name]?.layout else { fatalError("The model has no entity '\(name)'.") }
    return layout
  }

  /// A random value for a slot of the kind, of any length if it has one.
  static func value(of kind: SlotKind, _ random: inout some RandomNumberGenerator) -> SlotValue {
    let count = Int.random(in: 0...40, using: &random)
    switch kind {
    case .integer16: return .integer(Int64(Int16.random(in: .min ... .max, using: &random)))
    case .integer32: return .integer(Int64(Int32.random(in: .min ... .max, using: &random)))
    case .integer64: return .integer(.random(in: .min ... .max, using: &random))
    case .boolean: return .boolean(.random(using: &random))
    case .double, .float: return .double(.random(in: -1e9...1e9, using: &random))
    case .date: return .date(.random(in: -1e9...1e9, using: &random))
    case .decimal: return .decimal(Decimal(Int.random(in: -1_000_000...1_000_000, using: &random)) / 8)
    case .string: return .string(String(repeating: "aé🌋", count: count))
    case .uri: return .uri("https://example.org/" + String(repeating: "x", count: count))
    case .uuid:
      let byte = UInt8.random(in: 0...255, using: &random)
      return .uuid(UUID(uuid: (byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, byte)))
    case .data, .transformable: return .data((0..<count).map { _ in .random(in: 0...255, using: &random) })
    case .toOne: return .reference(RowID(store: 1, entity: 1, key: .random(in: 1...RowID.maximumKey, using: &random)))
    case .object: return .null
    }
  }
}
