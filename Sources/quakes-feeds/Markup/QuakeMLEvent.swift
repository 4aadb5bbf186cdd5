import StrataQuakes

/// An event of QuakeML 1.2 (https://quake.ethz.ch/quakeml) or of SC3ML, which has kilometers and a few other names.
///
/// Of several origins and magnitudes the preferred ones count, or the first where none is preferred.
struct QuakeMLEvent {
  private let event: MarkupElement
  private let origin: MarkupElement?
  private let magnitude: MarkupElement?
  private let isSC3ML: Bool
  /// Where the event begins in the body.
  private let start: Int

  init(_ event: MarkupElement, at start: Int) {
    (self.event, self.start, isSC3ML) = (event, start, false)
    origin = Self.preferred("origin", of: event, by: "preferredOriginID")
    magnitude = Self.preferred("magnitude", of: event, by: "preferredMagnitudeID")
  }

  /// An event of SC3ML, whose origins and magnitudes are outside of it.
  init(_ event: MarkupElement, origin: MarkupElement, magnitude: MarkupElement?, at start: Int) {
    (self.event, self.origin, self.magnitude, self.start, isSC3ML) = (event, origin, magnitude, start, true)
  }

  private static func preferred(_ name: String, of event: MarkupElement, by member: String) -> MarkupElement? {
    let all = event.all(name)
    let id = event[member]?.text
    return all.first { $0.attributes["publicID"] == id } ?? all.first
  }

  /// Gives all that the event tells to a draft.
  func fill(_ draft: inout EventDraft) {
    if let name { draft.take(name) }
    for field in StoredField.all {
      guard let path = field.quakeML else { continue }
      let names = isSC3ML ? path.names.map { Self.namesInSC3ML[$0] ?? $0 } : path.names
      let text = (path.element == .origin ? origin : magnitude)?[names]?.text
      if path.isInMeters, !isSC3ML {
        draft.take(field.field, meters: text, at: start)
      } else {
        draft.take(field.field, text: text, at: start)
      }
    }
    draft.take(.updated, text: updated(by: draft.service), at: start)
    fillTypeAndStatus(&draft)
    fillDescription(&draft)
    fillFeltReport(&draft)
  }

  private static let namesInSC3ML = ["mag": "magnitude", "originUncertainty": "uncertainty"]

  /// The networks of the United States write their IDs next to the `publicID`.
  private var name: EventName? {
    let publicID = event.attributes["publicID"] ?? ""
    if let network = event.attributes["eventsource"], let code = event.attributes["eventid"],
      let name = EventName(usgs: code.hasPrefix(network) ? code : network + code, network: network)
    {
      return name
    }
    return EventName(publicID: publicID, agency: event["creationInfo", "agencyID"]?.text)
  }

  /// When the origin or the magnitude was made, whichever is newer; the USGS also writes the last change as the time at
  /// which the event was made. Other services create their events for each request, or only once.
  private func updated(by service: String?) -> String? {
    var times = [service == "usgs" ? event : nil, origin, magnitude].compactMap {
      $0?["creationInfo", "creationTime"]?.text
    }
    // Only SC3ML has these.
    times += [event, origin, magnitude].compactMap { $0?["creationInfo", "modificationTime"]?.text }
    return times.max { (FieldValue.instant($0) ?? .distantPast) < (FieldValue.instant($1) ?? .distantPast) }
  }
}

// MARK: - Words

extension QuakeMLEvent {
  /// An event that does not exist was deleted.
  private func fillTypeAndStatus(_ draft: inout EventDraft) {
    let type = event["type"]?.text
    if type == "not existing" {
      draft.take(.status, text: "deleted", at: start)
      return
    }
    if let type, !["", "null", "not reported"].contains(type) { draft.take(.type, text: type, at: start) }
    draft.take(.status, text: status, at: start)
  }

  private var status: String? {
    switch (origin?["evaluationStatus"]?.text, origin?["evaluationMode"]?.text) {
    case ("rejected", _): "deleted"
    case ("confirmed", _), ("reviewed", _), ("final", _), (_, "manual"): "reviewed"
    case ("preliminary", _), (_, "automatic"): "automatic"
    default: nil
    }
  }

  /// Felt reports as `quakes export` writes them. Those of others are of any form.
  private func fillFeltReport(_ draft: inout EventDraft) {
    let text = event.all("description").first { $0["type"]?.text == "felt report" }?["text"]?.text
    for part in text?.split(separator: ",") ?? [] {
      let words = part.split(separator: " ")
      if words.count == 2, words[1] == "reports" {
        draft.take(.felt, text: String(words[0]), at: start)
      } else if words.count == 5, words.starts(with: ["intensity", "up", "to"]), words[4] == "MMI" {
        draft.take(.cdi, text: String(words[3]), at: start)
      }
    }
  }

  /// The name of the region is the place. The USGS writes its title there, as in other formats.
  private func fillDescription(_ draft: inout EventDraft) {
    let others = ["felt report", "local time", "tectonic summary"]
    let descriptions = event.all("description").filter {
      $0["text"]?.text.allSatisfy(\.isNumber) == false && !others.contains($0["type"]?.text ?? "")
    }
    let types = ["region name", "Flinn-Engdahl region", "earthquake name"]
    let preferred = types.lazy.compactMap { type in descriptions.first { $0["type"]?.text == type } }.first
    guard let text = (preferred ?? descriptions.first)?["text"]?.text else { return }
    if let title = EventTitle(text) {
      draft.take(.title, text: text, at: start)
      draft.take(.place, text: title.place, at: start)
    } else {
      draft.take(.place, text: text, at: start)
    }
  }
}
