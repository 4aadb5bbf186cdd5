/// A value of the settings file.
public enum SettingValue: Equatable, Sendable {
  case text(String)
  case integer(Int)
  case number(Double)
  case flag(Bool)
  case list([SettingValue])
  /// A type that settings do not accept, by its name in TOML: `date`, `table`.
  case other(String)

  /// As the file has it.
  public var text: String {
    switch self {
    case .text(let text): Self.quoted(text)
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    case .list(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .other(let name): "a \(name)"
    }
  }

  /// A key as the file has it: bare if it may be.
  public static func key(_ name: String) -> String {
    let isBare =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
    return isBare ? name : quoted(name)
  }

  /// A basic string of TOML.
  private static func quoted(_ text: String) -> String {
    var quoted = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\t": quoted += "\\t"
      case "\n": quoted += "\\n"
      default:
        let isControl = scalar.value < 0x20 || scalar.value == 0x7F
        quoted += isControl ? "\\u00\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))" : "\(scalar)"
      }
    }
    return "\"\(quoted)\""
  }
}

extension SettingValue {
  var string: String? { if case .text(let text) = self { text } else { nil } }
  var bool: Bool? { if case .flag(let flag) = self { flag } else { nil } }
  var int: Int? { if case .integer(let integer) = self { integer } else { nil } }

  /// A number with or without a decimal point; nil for `inf` and `nan`.
  var double: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number.isFinite ? number : nil
    default: nil
    }
  }

  var strings: [String]? {
    guard case .list(let values) = self else { return nil }
    let strings = values.compactMap(\.string)
    return strings.count == values.count ? strings : nil
  }
}
