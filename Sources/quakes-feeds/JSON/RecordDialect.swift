import Foundation
import StrataQuakes

/// The values of one event in a list that is not GeoJSON, by their names.
struct EventRecord {
  struct Value {
    var value: FieldValue
    /// The byte offset in the body.
    var position: Int
  }

  var values: [String: Value] = [:]
  /// Where it begins in the body.
  var start = 0

  /// A text or a number, without blanks around it; empty for anything else.
  func text(_ name: String) -> String {
    switch values[name]?.value {
    case .text(let text)?: text.trimmingCharacters(in: .whitespaces)
    case .number(let number)?: DecimalText.shortest(number)
    default: ""
    }
  }

  func position(_ name: String) -> Int { values[name]?.position ?? start }
}

/// How a service writes its list of events.
struct RecordDialect: Sendable {
  let service: String
  /// The names of the objects around the list, outermost first.
  let path: [String]
  /// The members that are read.
  let names: JSONKeyTable<String>
  /// Gives all that a record tells to a draft.
  let fill: @Sendable (EventRecord, inout EventDraft) -> Void
  /// The report that a record is, if several may be of the same event.
  let report: (@Sendable (EventRecord) -> EventReport)?

  init(
    service: String, path: [String] = [], names: [String],
    report: (@Sendable (EventRecord) -> EventReport)? = nil,
    fill: @escaping @Sendable (EventRecord, inout EventDraft) -> Void
  ) {
    (self.service, self.path, self.report, self.fill) = (service, path, report, fill)
    self.names = JSONKeyTable(names.map { ($0, $0) })
  }
}

/// One of several reports of an event.
struct EventReport {
  var event: String
  /// Texts of equal form: the later one is greater.
  var time: String
  var isCanceled = false
  /// Whether it says where the event was.
  var hasOrigin = true
}

/// The newest reports of the events in a list, which may have them in any order.
struct EventReports {
  /// With the record of the newest report that says where the event was.
  private var newest: [String: (report: EventReport, record: EventRecord)] = [:]

  /// - Returns: the record that describes the event, and whether it is canceled; nil if the report adds nothing to those
  ///   before it.
  mutating func take(_ record: EventRecord, of dialect: RecordDialect) -> (EventRecord, isCanceled: Bool)? {
    guard var report = dialect.report?(record) else { return (record, false) }
    guard let known = newest[report.event] else {
      newest[report.event] = (report, record)
      return report.hasOrigin ? (record, report.isCanceled) : nil
    }
    let isNewer = report.time > known.report.time
    guard report.hasOrigin, isNewer || !known.report.hasOrigin else {
      guard isNewer else { return nil }
      let isChanged = report.isCanceled != known.report.isCanceled && known.report.hasOrigin
      newest[report.event]?.report.time = report.time
      newest[report.event]?.report.isCanceled = report.isCanceled
      return isChanged ? (known.record, report.isCanceled) : nil
    }
    if !isNewer { (report.time, report.isCanceled) = (known.report.time, known.report.isCanceled) }
    newest[report.event] = (report, record)
    return (record, report.isCanceled)
  }
}
