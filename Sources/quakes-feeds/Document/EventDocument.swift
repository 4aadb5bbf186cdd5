import Foundation

/// Streams the events of a body in any format, in order, without holding the body.
///
/// Reports parts that could not be used and continues after them; a truncated body yields all events before the cut.
/// Use one copy only: copies share the place up to which the body is read.
struct EventDocument {
  enum Item: Equatable, Sendable {
    case event(ParsedEvent)
    case problem(FeedProblem)
  }

  let format: EventFormat
  private let window: BodyWindow
  private var reader: any EventReader
  /// The metadata after the events, if it had to be read first.
  private var laterMetadata: FeedMetadata?
  /// The first item, read ahead to identify the service.
  private var ahead: Item?
  private var eventCount = 0
  private var isDamaged = false
  private var isOver = false

  /// Recognizes the format, and reads the metadata before the events.
  ///
  /// - Parameters:
  ///   - now: the present, which no event lies behind by more than an hour.
  ///   - format: the body's; it is recognized if this is nil.
  ///   - isStopped: whether the document is not wanted any more, so that what is behind the events is not looked for.
  /// - Throws: `FeedFailure` if the body is in no known format.
  init(
    _ body: FeedBody, now: Date = Date(), format: EventFormat? = nil, isStopped: () -> Bool = { false }
  ) throws(FeedFailure) {
    try self.init(BodyWindow(body), now: now, format: format)
    guard self.format == .geoJSON, metadata.generated == nil else { return }
    // Members have no order, and programs sort them. Which state is newer must be known before the first event.
    while !isStopped(), reader.next() != nil {}
    let found = metadata
    body.rewind()
    try self.init(BodyWindow(body), now: now, format: format)
    if found.generated != nil { laterMetadata = found }
  }

  init(_ window: BodyWindow, now: Date, format: EventFormat? = nil) throws(FeedFailure) {
    self.window = window
    if let format {
      // A body without contents is recognized as such, whatever it should be.
      _ = try BodyOpening(window)
      self.format = format
    } else {
      self.format = try EventFormat.recognize(window)
    }
    reader = try self.format.row.reader(window, now + 3600)
    ahead = reader.next()
  }

  /// The metadata in the part of the body that is read.
  var metadata: FeedMetadata { laterMetadata ?? reader.metadata }

  /// Whether the body was read to its end and holds all of its events: nothing is cut off or broken, and there are not
  /// fewer events than it says.
  var isWhole: Bool { isOver && !isDamaged && eventCount >= Int(metadata.count ?? 0) }

  /// Whether the absence of an event may mean something: the body is whole by its own count.
  var isComplete: Bool { isWhole && metadata.count != nil }

  /// The next event or problem; nil at the end of the body.
  mutating func next() -> Item? {
    guard !isOver else { return nil }
    let item = ahead ?? reader.next() ?? reader.problems.next().map { .problem($0) }
    ahead = nil
    switch item {
    case .event: eventCount += 1
    case .problem(let problem): if problem.events == nil { isDamaged = true }
    case nil: return end()
    }
    return item
  }

  private mutating func end() -> Item? {
    isOver = true
    guard let failure = window.failure else { return nil }
    isDamaged = true
    return .problem(FeedProblem(position: window.end, reason: .unreadable(failure)))
  }
}

/// The reader of one format.
protocol EventReader {
  var metadata: FeedMetadata { get }
  /// The fields that the events lost so far.
  var problems: FieldProblems { get set }
  /// The next event or problem; nil at the end of the body.
  mutating func next() -> EventDocument.Item?
}
