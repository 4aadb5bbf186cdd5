import Foundation

/// The events and origins of an SC3ML body (https://www.seiscomp.de), which refer to each other by ID, in any order.
///
/// The preferred magnitude may be one of another origin than the preferred one.
struct SC3MLCollection {
  private struct Event {
    var element: MarkupElement
    var index: Int
    var start: Int
    var failure: MarkupFailure?
  }

  /// Bytes, estimated: the origins of about 20,000 events, as many as an event service returns at a time.
  private static let maximumSize = 128 << 20

  private var events: [Event] = []
  private var origins: [String: MarkupElement] = [:]
  private var magnitudes: [String: MarkupElement] = [:]
  /// The first origin, for a body of a single event that does not refer to it.
  private var firstOrigin: MarkupElement?
  private var size = 0
  private var next = 0

  /// - Parameter index: the number of events before it; nil for an origin.
  /// - Returns: why the element is lost; nil if it is kept.
  mutating func add(
    _ element: MarkupElement, index: Int?, at start: Int, failure: MarkupFailure?
  ) -> FeedProblem.Reason? {
    size += element.size
    guard size <= Self.maximumSize else { return .broken("the body has too many events and origins") }
    if let index {
      events.append(Event(element: element, index: index, start: start, failure: failure))
      return nil
    }
    if let id = element.attributes["publicID"] { origins[id] = element }
    firstOrigin = firstOrigin ?? element
    for magnitude in element.all("magnitude") {
      if let id = magnitude.attributes["publicID"] { magnitudes[id] = magnitude }
    }
    return failure?.reason
  }

  /// The next event, once everything was added.
  mutating func next(
    latest: Date, problems: inout FieldProblems, metadata: inout FeedMetadata
  ) -> EventDocument.Item? {
    guard next < events.count else { return nil }
    defer { next += 1 }
    let event = events[next]
    var draft = EventDraft(latest: latest)
    if let failure = event.failure { draft.note(failure.reason, at: event.start) }
    guard let origin = origin(of: event.element) else {
      let reference = Self.originID(of: event.element) ?? MarkupLayout.originName
      return .problem(
        FeedProblem(
          feature: event.index, position: event.start, identifier: event.element.attributes["publicID"],
          reason: .missing(reference)))
    }
    let preferred = event.element["preferredMagnitudeID"].flatMap { magnitudes[$0.text] }
    QuakeMLEvent(event.element, origin: origin, magnitude: preferred ?? origin["magnitude"], at: event.start)
      .fill(&draft)
    metadata.recognizeService(draft.service)
    return problems.conclude(&draft, index: event.index, start: event.start)
  }

  private func origin(of event: MarkupElement) -> MarkupElement? {
    guard let id = Self.originID(of: event) else { return events.count == 1 ? firstOrigin : nil }
    return origins[id]
  }

  private static func originID(of event: MarkupElement) -> String? {
    event["preferredOriginID"]?.text ?? event["originReference"]?.text
  }
}
