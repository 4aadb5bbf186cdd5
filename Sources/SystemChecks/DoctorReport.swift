import Foundation

/// The findings of a doctor as JSON.
public struct DoctorReport: Sendable {
  public let findings: [Finding]

  public init(_ findings: [Finding]) { self.findings = findings }

  /// Whether no check failed. Warnings do not count.
  public var isSound: Bool { !findings.contains { $0.state == .fail } }

  private struct Contents: Encodable {
    let formatVersion = 1
    let ok: Bool
    let checks: [[String: String?]]
  }

  /// The report as JSON, its keys sorted. Every check has all keys.
  public func json(isPretty: Bool = false) throws -> String {
    let checks = findings.map {
      ["name": $0.name, "state": $0.state.rawValue, "finding": $0.text, "advice": $0.advice]
    }
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    let text = String(decoding: try encoder.encode(Contents(ok: isSound, checks: checks)), as: UTF8.self)
    // The encoder writes line breaks only between values. Other characters that a terminal interprets or hides become numbers.
    return text.unicodeScalars.map { scalar in
      scalar == "\n" || Self.isVisible(scalar)
        ? String(scalar) : scalar.utf16.map { String(format: "\\u%04x", Int($0)) }.joined()
    }
    .joined()
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    let hidden: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
    return !scalar.properties.isDefaultIgnorableCodePoint && !hidden.contains(scalar.properties.generalCategory)
  }
}
