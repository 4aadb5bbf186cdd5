import Foundation

/// Streams the events of a table, a line an event: CSV of the USGS, or the text of an FDSN event service.
///
/// A line that is broken costs itself alone.
struct TableParser: EventReader {
  var metadata = FeedMetadata()
  var problems = FieldProblems()

  private let window: BodyWindow
  private let header: TableHeader
  private let latest: Date
  private var lines: LineReader
  private var rowCount = 0

  /// Reads the header.
  ///
  /// - Parameter latest: the latest time that an event may have.
  init(_ window: BodyWindow, latest: Date) throws(FeedFailure) {
    (self.window, self.latest) = (window, latest)
    lines = LineReader(window)
    guard let line = lines.next(), let header = TableHeader(String(decoding: line.bytes, as: UTF8.self)) else {
      throw .notAFeed("it does not have a line that names its columns")
    }
    self.header = header
    if header.format == .csv { metadata.service = "usgs" }
  }

  mutating func next() -> EventDocument.Item? {
    while let line = lines.next() {
      if header.format == .fdsnText, line.bytes.first == UInt8(ascii: "#") { continue }
      return row(line)
    }
    return nil
  }

  private mutating func row(_ line: LineReader.Line) -> EventDocument.Item {
    let index = rowCount
    rowCount += 1
    guard line.bytes.count <= TableRow.maximumLineLength,
      let values = TableRow.values(of: line.bytes, in: header.format),
      isComplete(values)
    else {
      return .problem(
        FeedProblem(
          feature: index, position: line.start, place: TextPlace(line: line.number), reason: reason(of: line)))
    }
    var draft = draft(of: values, at: line.start)
    metadata.recognizeService(draft.service)
    return problems.conclude(&draft, index: index, start: line.start) { _ in TextPlace(line: line.number) }
  }

  private func reason(of line: LineReader.Line) -> FeedProblem.Reason {
    if line.isTooLarge { return .tooLarge(BodyWindow.maximumSize) }
    if line.bytes.count > TableRow.maximumLineLength { return .broken("the line is too long") }
    return line.isEnded ? .broken("its values do not match the \(header.columns.count) columns of the header") : .cutOff
  }

  /// More values than columns are wrong in CSV, where a comma in a name shifts all that follow; in text the name is
  /// last, and nothing else suffers.
  private func isComplete(_ values: [String]) -> Bool {
    header.format == .csv ? values.count == header.columns.count : values.count >= header.columns.count
  }

  private func draft(of values: [String], at start: Int) -> EventDraft {
    var draft = EventDraft(latest: latest)
    var id = ""
    var (author, catalog, contributor, network) = ("", "", "", "")
    for (column, value) in zip(header.columns, values) {
      switch column {
      case .field(.identifier), .eventID: id = value
      case .author:
        author = value
        draft.take(.locationSource, text: value, at: start)
      case .catalog: catalog = value
      case .contributor: contributor = value
      case .field(let field):
        if field == .network { network = value }
        draft.take(field, text: value, at: start)
      case nil: break
      }
    }
    guard !id.isEmpty else { return draft }
    // The USGS's IDs begin with the catalog, in lower case as it is.
    if let name = EventName(usgs: id, network: header.format == .csv ? network : catalog) {
      draft.take(name)
    } else if header.format == .csv {
      draft.take(.identifier, .text(id), at: start)
    } else {
      draft.take(EventName(id, of: [contributor, catalog, author]))
    }
    return draft
  }
}
