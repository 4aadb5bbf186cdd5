import Foundation

/// The contents of an alert, as a value that outlives its context.
public struct AlertMessage: Sendable {
  public var rule: String
  public var reason: AlertReason
  /// With the distance from the rule's center.
  public var quake: QuakeFacts
  /// nil if the rule does not have a center.
  public var centerName: String?
  /// The program to run and its arguments.
  public var arguments: [String]
  public var notifies: Bool
  /// Of the notification.
  public var style = DisplayStyle()

  /// On the context's queue.
  public init(_ rule: AlertRule, quake: Quake, reason: AlertReason) {
    (self.rule, self.reason) = (rule.name ?? "", reason)
    self.quake = quake.facts
    self.quake.distance = rule.circle?.distance(latitude: quake.latitude, longitude: quake.longitude)
    centerName = rule.centerName
    arguments = rule.arguments as? [String] ?? []
    notifies = rule.notifies
  }
}

/// A value that a program receives: `{id}` in an argument, `QUAKES_ID` in its environment.
public enum AlertField: String, CaseIterable, Sendable {
  case id, magnitude, place, time, url, distance, latitude, longitude, depth, rule, reason

  public var variable: String { "QUAKES_\(rawValue.uppercased())" }

  /// Text of others, as opposed to numbers and times.
  fileprivate var isText: Bool { [.id, .place, .url, .rule].contains(self) }
}

extension AlertMessage {
  /// Far longer than any place or address, and short enough for an argument.
  private static let maximumTextLength = 1000  // Unicode scalars

  /// One line without control characters; empty if it is not known. Kilometers and degrees.
  public func value(_ field: AlertField) -> String {
    switch field {
    case .id: line(quake.identifier)
    case .magnitude: quake.magnitude.map { DecimalText.oneDigit($0) } ?? ""
    case .place: line(quake.place ?? quake.title ?? "")
    case .time: ISO8601.text(quake.time)
    case .url: webAddress
    case .distance: quake.distance.map { DecimalText.oneDigit($0) } ?? ""
    case .latitude: "\(quake.latitude)"
    case .longitude: "\(quake.longitude)"
    case .depth: quake.depth.map { DecimalText.oneDigit($0) } ?? ""
    case .rule: line(rule)
    case .reason: reason.rawValue
    }
  }

  /// Programs that open addresses would open files too.
  private var webAddress: String {
    let url = line(quake.url ?? "")
    return url.hasPrefix("https://") || url.hasPrefix("http://") ? url : ""
  }

  private func line(_ text: String) -> String {
    String(String.UnicodeScalarView(Terminal.printable(text).unicodeScalars.prefix(Self.maximumTextLength)))
  }

  /// An argument with the fields in it replaced, once: a value that looks like a field stays as it is.
  ///
  /// A text that would begin the argument with a hyphen gets a space before it: else a place could be an option.
  public func filled(_ argument: String) -> String {
    var (result, rest) = ("", argument[...])
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      rest = rest[open...]
      guard let close = rest.firstIndex(of: "}"),
        let field = AlertField(rawValue: String(rest[rest.index(after: open)..<close]))
      else {
        result += "{"
        rest = rest.dropFirst()
        continue
      }
      let value = value(field)
      if result.isEmpty, field.isText, value.utf8.first == UInt8(ascii: "-") { result = " " }
      result += value
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  /// A word in braces in an argument that is not a field; nil if all are. Other braces belong to the user's text.
  public static func unknownField(in argument: String) -> String? {
    argument.split(separator: "{", omittingEmptySubsequences: false).dropFirst().lazy.compactMap { part in
      guard let close = part.firstIndex(of: "}") else { return nil }
      let word = String(part[..<close])
      let isName =
        !word.isEmpty && word.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "_") }
      return isName && AlertField(rawValue: word) == nil ? word : nil
    }.first
  }

  /// The variables that programs get besides the worker's own.
  public var environment: [String: String] {
    Dictionary(uniqueKeysWithValues: AlertField.allCases.map { ($0.variable, value($0)) })
  }
}
