import Foundation

/// Streams the events of a JSON body in order: the features of a GeoJSON list, one document an event, one after another, or
/// the records of another list.
///
/// Reports broken parts with their position and continues after them; a truncated body yields all features before the
/// cut.
struct GeoJSONParser: EventReader {
  enum State {
    case firstFeature
    case afterFeature
    case lost
    case finished
  }

  var metadata = FeedMetadata()
  var problems = FieldProblems()
  /// The number of features so far, good and bad.
  private(set) var featureCount = 0

  let window: BodyWindow
  var scanner: JSONScanner
  var reader: FeatureParser
  var state = State.finished
  /// Whether the features are elements of a list, and not documents of their own.
  var isList = true
  /// How many objects are around the list.
  var enclosingObjects = 1
  /// Reports of the same event, if the list has several.
  private var reports = EventReports()
  var markers = MarkerSearch()

  /// Parses everything before the features.
  ///
  /// - Parameter latest: the latest time that an event may have.
  init(_ window: BodyWindow, latest: Date, dialect: RecordDialect? = nil) throws(FeedFailure) {
    self.window = window
    reader = FeatureParser(latest: latest, dialect: dialect)
    scanner = JSONScanner(window.bytes, base: window.offset)
    if scanner.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position = 3 }
    let refusal: FeedFailure?
    do {
      refusal = try whole { parser throws(JSONFailure) in
        if let dialect { return try parser.readHead(of: dialect) }
        return try parser.readHead()
      }
    } catch {
      throw .notJSON(error)
    }
    if let refusal { throw refusal }
  }

  mutating func next() -> EventDocument.Item? {
    while true {
      switch state {
      case .finished: return nil
      case .lost: return loseRest()
      case .firstFeature, .afterFeature: break
      }
      do {
        guard try whole({ parser throws(JSONFailure) in try parser.moveToFeature() }) else { return try finish() }
      } catch {
        return breakOutside(error)
      }
      if let item = feature() { return item }
    }
  }

  /// - Returns: nil for a record that has nothing new of its event.
  private mutating func feature() -> EventDocument.Item? {
    let index = featureCount
    let start = scanner.offset
    featureCount += 1
    state = .afterFeature
    do {
      let isObject = try whole(isFeature: true) { parser throws(JSONFailure) in
        let isObject = try parser.reader.read(from: &parser.scanner)
        if parser.isRunaway(from: start, to: parser.scanner.offset) { throw .notClosed(from: start) }
        return isObject
      }
      guard isObject else {
        return .problem(FeedProblem(feature: index, position: start, reason: .wrongType("a feature")))
      }
    } catch {
      return .problem(breakInside(error, feature: index, start: start))
    }
    if let dialect = reader.dialect {
      guard let (record, isCanceled) = reports.take(reader.record, of: dialect) else { return nil }
      dialect.fill(record, &reader.draft)
      if isCanceled { reader.draft.take(.status, .text("deleted"), at: start) }
    }
    let item = problems.conclude(&reader.draft, index: index, start: start)
    metadata.recognizeService(reader.draft.service)
    return item
  }

  /// Moves to the next feature; returns false after the last.
  private mutating func moveToFeature() throws(JSONFailure) -> Bool {
    // A single record in objects.
    if !isList, reader.dialect != nil { return state == .firstFeature }
    if !isList {
      scanner.skipBlanks()
      guard !scanner.isAtEnd else { return false }
      guard scanner.bytes[scanner.position] == UInt8(ascii: "{") else { throw scanner.misfit() }
      return true
    }
    if state == .firstFeature { return try !scanner.pass(UInt8(ascii: "]")) }
    guard try scanner.nextElement() else { return false }
    _ = try scanner.peek()
    return true
  }
}

// MARK: - The window

extension GeoJSONParser {
  /// Parses a part, and parses it again whenever it reaches the window's end before the body's.
  ///
  /// - Parameter isFeature: whether the part may turn out to be a feature that is not closed, which ends the search.
  mutating func whole<Value>(
    isFeature: Bool = false, _ parse: (inout GeoJSONParser) throws(JSONFailure) -> Value
  ) throws(JSONFailure) -> Value {
    let start = scanner.offset
    while true {
      do {
        let value = try parse(&self)
        // A number may continue after the window's end.
        guard scanner.isAtEnd, more(from: start) else { return value }
      } catch {
        guard error.kind == .endOfBody else { throw error }
        if isFeature, isRunaway(from: start, to: window.end) { throw .notClosed(from: start) }
        guard more(from: start) else { throw error }
      }
      scanner.position = start - scanner.base
    }
  }

  /// Moves the window on, keeping the bytes from an offset on.
  ///
  /// - Returns: false if the body ends, or if the kept bytes fill the largest window.
  mutating func more(from offset: Int) -> Bool {
    let isMore = window.advance(to: offset)
    let position = scanner.offset
    scanner = JSONScanner(window.bytes, base: window.offset)
    scanner.position = max(0, position - window.offset)
    return isMore
  }
}
