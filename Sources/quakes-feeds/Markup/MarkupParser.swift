import Foundation

/// Streams the events of an XML body.
///
/// The events are found by their tags, and each is read alone: memory is bounded by the largest event, and an event that
/// is broken costs itself alone. Only the origins of SC3ML, which are outside of their events, are kept to the end.
struct MarkupParser: EventReader {
  var metadata = FeedMetadata()
  var problems = FieldProblems()

  private let window: BodyWindow
  private let format: EventFormat
  private let layout: MarkupLayout
  private let latest: Date
  private let isLatin1: Bool
  private var tags: MarkupTags
  /// How many elements are open around the events.
  private var depth = 0
  private var eventCount = 0
  private var isOver = false
  /// The events of SC3ML, which need the whole body.
  private var collection = SC3MLCollection()
  /// The problem at the body's end.
  private var endProblem: FeedProblem?

  /// - Parameter latest: the latest time that an event may have.
  init(_ window: BodyWindow, format: EventFormat, latest: Date) {
    (self.window, self.format, self.latest) = (window, format, latest)
    layout = format.layout
    isLatin1 = Self.declaresLatin1(window.bytes)
    tags = MarkupTags(window)
  }

  mutating func next() -> EventDocument.Item? {
    while !isOver {
      guard let tag = tags.next() else {
        isOver = true
        // A whole document closes what it opens.
        if depth > 0 { endProblem = FeedProblem(position: window.end, reason: .cutOff) }
        break
      }
      if layout.elements.contains(tag.name), tag.kind != .end {
        if let item = element(startingWith: tag) { return item }
      } else {
        passOutside(tag)
      }
    }
    if let item = collection.next(latest: latest, problems: &problems, metadata: &metadata) { return item }
    defer { endProblem = nil }
    return endProblem.map { .problem($0) }
  }

  /// Reads up to the element's end tag. The next one's start tag before it means that this one is not closed.
  private mutating func element(startingWith start: MarkupTags.Tag) -> EventDocument.Item? {
    // An origin counts with its event.
    let index = start.name == MarkupLayout.originName ? nil : eventCount
    if index != nil { eventCount += 1 }
    var hasLongTag = start.isLong
    if start.kind == .empty { return conclude(from: start.start, to: start.end, index: index, hasLongTag) }
    while let tag = tags.next(keeping: start.start) {
      hasLongTag = hasLongTag || tag.isLong
      guard tag.name == start.name else { continue }
      if tag.kind == .end { return conclude(from: start.start, to: tag.end, index: index, hasLongTag) }
      tags.goBack(to: tag.start)
      return lost(index, at: start.start, reason: .broken("the \(index == nil ? start.name : "event") does not end"))
    }
    let isCutOff = window.isLast
    isOver = isCutOff
    if !isCutOff { tags.passWindow() }
    return lost(index, at: start.start, reason: isCutOff ? .cutOff : .tooLarge(BodyWindow.maximumSize))
  }

  private mutating func conclude(
    from start: Int, to end: Int, index: Int?, _ hasLongTag: Bool
  ) -> EventDocument.Item? {
    if hasLongTag { return lost(index, at: start, reason: .broken("a tag is too long")) }
    let (element, failure): (MarkupElement, MarkupFailure?)
    do {
      (element, failure) = try MarkupReader.element(in: text(from: start, to: end), ignoring: layout.ignored)
    } catch {
      return lost(index, at: start, reason: error.reason)
    }
    guard format != .sc3ml, let index else {
      let loss = collection.add(element, index: index, at: start, failure: failure)
      return loss.map { lost(index, at: start, reason: $0) }
    }
    var draft = EventDraft(latest: latest)
    if let failure { draft.note(failure.reason, at: start) }
    switch format {
    case .quakeML: QuakeMLEvent(element, at: start).fill(&draft)
    case .bmkgXML: BMKGRecord(element, at: start).fill(&draft)
    default: AtomEntry(element, at: start).fill(&draft)
    }
    metadata.recognizeService(draft.service)
    return problems.conclude(&draft, index: index, start: start)
  }

  private func lost(_ index: Int?, at start: Int, reason: FeedProblem.Reason) -> EventDocument.Item {
    .problem(FeedProblem(feature: index, position: start, reason: reason))
  }
}

// MARK: - Around the events

extension MarkupParser {
  private mutating func passOutside(_ tag: MarkupTags.Tag) {
    switch tag.kind {
    case .start where layout.headNames.contains(tag.name) && depth == layout.depth: readHead(tag)
    case .start: depth += 1
    case .empty: break
    case .end: depth = max(0, depth - 1)
    }
  }

  /// Reads an element with metadata of the body.
  private mutating func readHead(_ start: MarkupTags.Tag) {
    var open = 1
    while open > 0, let tag = tags.next(keeping: start.start) {
      if layout.elements.contains(tag.name) { return tags.goBack(to: tag.start) }
      if tag.kind != .empty { open += tag.kind == .start ? 1 : -1 }
      guard open == 0 else { continue }
      let text = text(from: start.start, to: tag.end)
      if let parsed = try? MarkupReader.element(in: text) { take(parsed.element) }
    }
  }

  private mutating func take(_ element: MarkupElement) {
    switch element.name {
    case "title":
      metadata.title = element.text
      metadata.recognizeFeed(title: element.text)
    case "id": metadata.recognizeFeed(url: element.text)
    case "updated": metadata.takeGenerated(.text(element.text), until: latest)
    default: metadata.takeGenerated((element["creationTime"]?.text).map { .text($0) }, until: latest)
    }
  }

  /// Text that XML allows: bytes that are not UTF-8 become U+FFFD, and control characters question marks.
  private func text(from start: Int, to end: Int) -> String {
    let bytes = window.bytes[(start - window.offset)..<(end - window.offset)]
    let allowed = bytes.lazy.map { $0 < 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 ? UInt8(ascii: "?") : $0 }
    guard isLatin1 else { return String(decoding: Array(allowed), as: UTF8.self) }
    return String(String.UnicodeScalarView(allowed.map { Unicode.Scalar($0) }))
  }

  private static func declaresLatin1(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let head = String(decoding: bytes.prefix(200).prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self).lowercased()
    return head.contains("<?xml") && (head.contains("iso-8859-1") || head.contains("latin1"))
  }
}
