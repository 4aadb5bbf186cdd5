import CoreData
import Foundation
import StrataQuakes

/// A rule as people read it.
struct AlertText {
  private let rule: AlertRule

  /// On the context's queue.
  init(_ rule: AlertRule) { self.rule = rule }

  /// `M 6.0 and above, within 500 km of home; again at +0.5; runs /usr/bin/logger {place}`.
  var summary: String {
    let which = [magnitude, center, depth].compactMap { $0 }.joined(separator: ", ")
    return ([which.isEmpty ? "every earthquake" : which, step].compactMap { $0 } + ways).joined(separator: "; ")
  }

  private var magnitude: String? {
    rule.minimumMagnitude.map { "M \(DecimalText.oneDigit($0.doubleValue)) and above" }
  }

  private var depth: String? {
    rule.maximumDepth.map { "\(DecimalText.whole($0.doubleValue)) km deep and shallower" }
  }

  private var center: String? {
    guard let name = rule.centerName else { return nil }
    let radius = rule.within?.doubleValue ?? GeoCircle.defaultRadius
    return "within \(DecimalText.whole(radius)) km of \(name)"
  }

  private var step: String? {
    rule.magnitudeStep.map { "again at +\(DecimalText.oneDigit($0.doubleValue))" }
  }

  private var ways: [String] {
    var ways: [String] = []
    if !arguments.isEmpty { ways.append("runs " + arguments.map(Self.quoted).joined(separator: " ")) }
    if rule.notifies { ways.append("shows a notification") }
    return ways
  }

  private var arguments: [String] { rule.arguments as? [String] ?? [] }

  /// As a shell would need it.
  private static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      !" \t\n'\"\\$`;&|<>()*?[]#~!".utf8.contains(byte)
    }
    return plain && !word.isEmpty ? word : "'" + word.replacingScalars("'", with: "'\\''") + "'"
  }
}

extension JSONText {
  /// On the context's queue.
  mutating func alert(_ rule: AlertRule) {
    object { json in
      json.string("name", rule.name)
      json.date("created", rule.created)
      json.number("minimum_magnitude", rule.minimumMagnitude?.doubleValue)
      json.number("maximum_depth_km", rule.maximumDepth?.doubleValue)
      json.string("near", rule.centerName)
      json.bool("is_place", rule.place != nil)
      json.number("latitude", rule.circle?.latitude)
      json.number("longitude", rule.circle?.longitude)
      json.number("within_km", rule.within?.doubleValue)
      json.number("magnitude_step", rule.magnitudeStep?.doubleValue)
      json.bool("notifies", rule.notifies)
      json.array("arguments") { array in for word in rule.arguments as? [String] ?? [] { array.string(word) } }
    }
  }
}
