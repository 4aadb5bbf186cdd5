import Foundation
import StrataQuakes

/// Streams the events of a bulletin in the IASPEI Seismic Format 1.0, which extends IMS 1.0.
/// http://www.isc.ac.uk/standards/isf/
///
/// An event has blocks of lines: origins, magnitudes, phases and others. Phases are passed over.
struct ISFParser: EventReader {
  var metadata = FeedMetadata()
  var problems = FieldProblems()

  private let latest: Date
  private var reader: LineReader
  /// The first line of the next event.
  private var header: TextLine?
  private var isOver = false
  private var eventCount = 0

  /// - Parameter latest: the latest time that an event may have.
  init(_ window: BodyWindow, latest: Date) {
    self.latest = latest
    reader = LineReader(window)
    readHead()
  }

  /// Whether a line may be the first of a bulletin, alone or in a message.
  static func isFirstLine(_ line: String) -> Bool {
    let words = line.uppercased().split(separator: " ")
    guard words.count > 1 else { return false }
    switch words[0] {
    case "BEGIN": return ["IMS", "GSE", "ISF"].contains(words[1].prefix(3))
    case "DATA_TYPE": return true
    default: return isEvent(words)
    }
  }

  /// Whether words begin an event: its number follows, so that a sentence is not one.
  fileprivate static func isEvent<Word: StringProtocol>(_ words: some Collection<Word>) -> Bool {
    guard words.first?.uppercased() == "EVENT", let number = words.dropFirst().first else { return false }
    return number.contains(where: \.isNumber) && number.allSatisfy { $0.isASCII && ($0.isNumber || $0.isLetter) }
  }

  /// The line behind `DATA_TYPE` is the bulletin's title.
  private mutating func readHead() {
    var isTitle = false
    while header == nil, let line = reader.next() {
      let line = TextLine(line)
      if ISFBlock(line) == .event {
        header = line
      } else if isTitle {
        metadata.title = line.text(1...80)
        isTitle = false
      } else if line.text(1...9).uppercased() == "DATA_TYPE" {
        isTitle = true
      }
    }
  }

  mutating func next() -> EventDocument.Item? {
    guard let header else { return nil }
    var event = ISFEvent(header)
    self.header = nil
    var block = ISFBlock.event
    var isEnded = header.isEnded
    while !isOver, let read = reader.next() {
      isEnded = read.isEnded
      let line = TextLine(read)
      let begun = ISFBlock(line)
      if begun == .event {
        self.header = line
        break
      }
      if begun == .end { isOver = true }
      if let begun { block = begun } else { event.add(line, in: block) }
    }
    let index = eventCount
    eventCount += 1
    return conclude(event, index: index, isCut: self.header == nil && !isOver && !isEnded)
  }

  private mutating func conclude(_ event: ISFEvent, index: Int, isCut: Bool) -> EventDocument.Item {
    var draft = event.draft(latest: latest, title: metadata.title)
    metadata.recognizeService(draft.service)
    let lines = event.lines
    let item = problems.conclude(&draft, index: index, start: event.header.start) { lines.place(of: $0) }
    guard case .problem(var problem) = item else { return item }
    if isCut { problem.reason = .cutOff }
    return .problem(problem)
  }
}

/// The blocks of an event, by the lines that begin them.
enum ISFBlock {
  case event, origins, magnitudes, other
  /// The end of the bulletin.
  case end

  /// - Returns: nil if the line does not begin a block.
  init?(_ line: TextLine) {
    guard let first = line.bytes.first(where: { $0 != 0x20 && $0 != 0x09 }), first != UInt8(ascii: "(") else {
      return nil
    }
    let words = line.text(1...80).lowercased().split(separator: " ").prefix(4).map(String.init)
    switch words {
    case _ where ISFParser.isEvent(words): self = .event
    case _ where words.first == "stop": self = .end
    case ["date", "time", "err", "rms"]: self = .origins
    case ["magnitude", "err", "nsta", "author"]: self = .magnitudes
    case ["sta", "dist", "evaz", "phase"], ["year", "volume", "page1", "page2"]: self = .other
    default: return nil
    }
  }
}
