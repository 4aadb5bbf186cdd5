/// An entry of an Atom feed with GeoRSS, of the USGS or the INGV.
struct AtomEntry {
  private let entry: MarkupElement
  /// Where the entry begins in the body.
  private let start: Int

  init(_ entry: MarkupElement, at start: Int) {
    (self.entry, self.start) = (entry, start)
  }

  /// Gives all that the entry tells to a draft.
  func fill(_ draft: inout EventDraft) {
    if let id = entry["id"]?.text, let name = EventName(publicID: id, agency: nil) { draft.take(name) }
    draft.take(.time, text: entry["date"]?.text ?? timeOfSummary, at: start)
    draft.take(.updated, text: entry["updated"]?.text, at: start)
    draft.take(.url, text: url, at: start)
    fillPosition(&draft)
    fillTitle(&draft)
  }

  /// `georss:point` is latitude and longitude, `georss:elev` height in meters.
  private func fillPosition(_ draft: inout EventDraft) {
    let point = (entry["point"]?.text ?? "").split { $0 == " " || $0 == "\n" }.map(String.init)
    if point.count == 2 {
      draft.take(.latitude, text: point[0], at: start)
      draft.take(.longitude, text: point[1], at: start)
    }
    draft.take(.depth, meters: entry["elev"]?.text, sign: -1, at: start)
  }

  private func fillTitle(_ draft: inout EventDraft) {
    guard let text = entry["title"]?.text else { return }
    draft.take(.title, text: text, at: start)
    guard let title = EventTitle(text) else { return }
    draft.take(.magnitude, text: title.magnitude, at: start)
    draft.take(.magnitudeType, text: title.magnitudeType, at: start)
    draft.take(.type, text: title.type, at: start)
    draft.take(.place, text: title.place, at: start)
  }

  private var url: String? {
    entry.all("link").first { $0.attributes["rel"] == "alternate" && $0.attributes["type"] == "text/html" }?
      .attributes["href"]
  }

  /// The first `2015-11-04 03:44:15 UTC` of the summary, which is HTML.
  private var timeOfSummary: String? {
    let summary = entry["summary"]?.text ?? ""
    return summary.ranges(of: " UTC").lazy.map { String(summary[..<$0.lowerBound].suffix(19)) }
      .first { FieldValue.instant($0) != nil }
  }
}
