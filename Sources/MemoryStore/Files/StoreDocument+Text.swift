import Foundation
import StrataManagedModel
import StrataRowStore

extension SlotValue {
  /// Parses a file's value for a slot of a kind; nil if it does not fit.
  init?(_ value: StoreDocument.Value, as kind: SlotKind) {
    switch (value, kind) {
    case (.data(let bytes), .data), (.data(let bytes), .transformable): self = .data(bytes)
    case (.data, _): return nil
    case (.text(let text), _):
      guard let read = Self.read(text, as: kind) else { return nil }
      self = read
    }
  }

  private static func read(_ text: String, as kind: SlotKind) -> SlotValue? {
    switch kind {
    case .integer16, .integer32, .integer64: Int64(text).map { .integer($0) }
    case .boolean: ["1", "YES", "true"].contains(text) ? .boolean(true) : .boolean(false)
    case .double, .float: Double(text).map { .double($0) }
    case .date: Double(text).map { .date($0) }
    case .decimal: text == "NaN" ? .decimal(.nan) : Decimal(string: text, locale: nil).map { .decimal($0) }
    case .string: .string(text)
    case .uri: .uri(text)
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .data, .transformable:
      Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { .data(Array($0)) }
    case .toOne, .object: nil
    }
  }

  /// The value with its type's name, as written to a file; nil for null and for relationships.
  func documented(as kind: SlotKind) -> (type: String, value: StoreDocument.Value)? {
    switch self {
    case .null, .reference: nil
    case .integer(let number):
      (kind == .integer16 ? "int16" : kind == .integer32 ? "int32" : "int64", .text(String(number)))
    case .boolean(let flag): ("bool", .text(flag ? "1" : "0"))
    case .double(let number): (kind == .float ? "float" : "double", .text(number.description))
    case .date(let seconds): ("date", .text(Self.decimals(seconds)))
    case .decimal(let number): ("decimal", .text(number.description))
    case .string(let text): ("string", .text(text))
    case .uri(let text): ("uri", .text(text))
    case .uuid(let uuid): ("uuid", .text(uuid.uuidString))
    case .data(let bytes): ("binary", .data(bytes))
    }
  }

  /// Seconds with 20 decimals, as Apple's framework writes them, unless that would change the value.
  private static func decimals(_ seconds: Double) -> String {
    let text = String(format: "%.20f", seconds)
    return Double(text) == seconds ? text : seconds.description
  }
}
