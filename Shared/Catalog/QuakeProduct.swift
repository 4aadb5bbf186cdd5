/// A product of the USGS about an earthquake that has a page of its own, by its name in the documents of the USGS:
/// https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson_detail.php
public enum QuakeProduct: String, CaseIterable, Sendable {
  /// Reports of people: "Did You Feel It?".
  case feltReports = "dyfi"
  case shakeMap = "shakemap"
  /// PAGER: estimated losses and people exposed.
  case lossEstimate = "losspager"
  case groundFailure = "ground-failure"
  case momentTensor = "moment-tensor"
  case focalMechanism = "focal-mechanism"
  case finiteFault = "finite-fault"
  case aftershockForecast = "oaf"
  case earlyWarning = "shake-alert"

  /// The end of its page's address.
  fileprivate var path: String {
    switch self {
    case .feltReports: "dyfi/intensity"
    case .shakeMap: "shakemap/intensity"
    case .lossEstimate: "pager"
    default: rawValue
    }
  }
}

extension QuakeFacts {
  /// Whether the USGS has a product of this type.
  public func has(_ product: QuakeProduct) -> Bool { list(.types).contains(product.rawValue) }

  /// The address of a product's page; nil if the USGS does not have the product.
  public func page(of product: QuakeProduct) -> String? {
    let pages = "://earthquake.usgs.gov/earthquakes/eventpage/"
    guard has(product), let page, let start = page.firstRange(of: pages) else { return nil }
    let isAddress = ["http", "https"].contains(page[..<start.lowerBound].lowercased())
    let id = page[start.upperBound...].prefix { !"/?#".contains($0) }
    return isAddress && !id.isEmpty ? "https\(pages)\(id)/\(product.path)" : nil
  }
}

// MARK: - Effects as text

extension QuakeFacts {
  /// `1,234 reports, up to MMI VI (6.2)`; nil if nothing is known about reports.
  public var feltText: String? {
    let count = integer(.felt).map { "\(CountText.grouped($0)) report\($0 == 1 ? "" : "s")" }
    return Self.joined([count, number(.cdi).map { "up to \(IntensityText.of($0))" }])
  }

  /// `up to MMI VII (7.4), 0.22 g and 14.2 cm/s`; nil if nothing is known about the computed shaking.
  public var shakingText: String? {
    let peaks = [(QuakeField.peakAcceleration, "g"), (.peakVelocity, "cm/s")].compactMap { field, unit in
      number(field).map { "\(FactValue.number($0).text) \(unit)" }
    }
    let motion = peaks.joined(separator: " and ")
    let intensity = number(.mmi).map(IntensityText.of)
    return Self.joined([intensity, motion.isEmpty ? nil : motion]).map { "up to \($0)" }
  }

  private static func joined(_ parts: [String?]) -> String? {
    let known = parts.compactMap { $0 }
    return known.isEmpty ? nil : known.joined(separator: ", ")
  }
}

/// Formats intensities on the Modified Mercalli scale (MMI).
public enum IntensityText {
  /// By the rounded intensity. Nothing below I is felt either, so 0 has the same numeral.
  private static let numerals = ["I", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"]

  /// `MMI VI (6.2)`: the numeral is the nearest one, as on the pages of the USGS. Numbers outside of the scale have no
  /// numeral.
  public static func of(_ intensity: Double) -> String {
    let nearest = Int(exactly: intensity.rounded())
    let numeral = nearest.flatMap { numerals.indices.contains($0) ? numerals[$0] : nil }
    let digits = DecimalText.oneDigit(intensity)
    return numeral.map { "MMI \($0) (\(digits))" } ?? "MMI \(digits)"
  }
}
