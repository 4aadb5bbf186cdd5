/// Where an XML format has its events.
struct MarkupLayout: Sendable {
  /// The elements that are read as a whole.
  var elements: Set<String>
  /// How many elements are around them.
  var depth: Int
  /// The elements with metadata of the body.
  var headNames: Set<String> = []
  /// The parts of an event that may be large, and of which nothing is kept.
  var ignored: Set<String> = []

  /// The element of SC3ML that is outside of its event.
  static let originName = "origin"
}

extension EventFormat {
  var layout: MarkupLayout {
    let ignored: Set = ["amplitude", "arrival", "comment", "focalMechanism", "pick", "stationMagnitude"]
    return switch self {
    case .quakeML: MarkupLayout(elements: ["event"], depth: 2, headNames: ["creationInfo"], ignored: ignored)
    case .sc3ml:
      MarkupLayout(
        elements: ["event", MarkupLayout.originName], depth: 2,
        ignored: ignored.union([
          "compositeTime", "confidenceLevel", "lowerUncertainty", "pdf", "stationMagnitudeContribution",
          "upperUncertainty",
        ]))
    case .bmkgXML: MarkupLayout(elements: ["gempa"], depth: 1)
    default: MarkupLayout(elements: ["entry"], depth: 1, headNames: ["title", "updated", "id"], ignored: ignored)
    }
  }
}
