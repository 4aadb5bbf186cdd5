import Foundation
import StrataQuakes

/// Writes the parts of a document of events.
protocol EventWriter {
  /// - Parameters:
  ///   - count: how many events follow.
  ///   - time: when this was known.
  mutating func head(count: Int, at time: Date) -> String

  /// - Parameter service: the reporting service, if it is known.
  mutating func event(_ state: QuakeState, of service: String?) -> String

  /// The separator between two events.
  var separator: String { get }
  mutating func tail() -> String
}

extension EventWriter {
  var separator: String { "" }
}

/// A document on its way to standard output, with memory for a part of it.
struct ExportDocument {
  /// The number of bytes per write.
  private static let partSize = 1 << 16

  private var writer: any EventWriter
  private var text = ""
  private(set) var count = 0
  private var isReaderGone = false

  init(_ writer: any EventWriter) {
    self.writer = writer
  }

  mutating func begin(count: Int, at time: Date) throws(Failure) {
    text += writer.head(count: count, at: time)
  }

  /// - Returns: false if the reader is gone.
  mutating func write(_ state: QuakeState, of service: String?) throws(Failure) -> Bool {
    if count > 0 { text += writer.separator }
    count += 1
    text += writer.event(state, of: service)
    if text.utf8.count >= Self.partSize { try flush() }
    return !isReaderGone
  }

  mutating func end() throws(Failure) {
    text += writer.tail()
    try flush()
  }

  private mutating func flush() throws(Failure) {
    if !isReaderGone { isReaderGone = try !Output.write(OutputText(lines: text)) }
    text.removeAll(keepingCapacity: true)
  }
}

extension QuakeState {
  /// The service's word, or that it withdrew the event.
  var exportedStatus: String? { standing == .retracted ? "deleted" : text(.status) }

  /// A field's value as documents have it.
  func exported(_ field: QuakeField) -> Value? {
    field == .status ? exportedStatus.map { .text($0) } : self[field]
  }

  /// Whether the USGS is the source. Other services are their own networks.
  func isOfUSGS(_ service: String?) -> Bool {
    if let service { return service == "usgs" }
    return !["emsc", "geonet", "gfz", "ingv", "fdsn"].contains(text(.network) ?? "")
  }
}

/// Numbers as documents have them.
enum NumberText {
  /// Empty for nil, and for what is not a number.
  static func of(_ number: Double?) -> String {
    guard let number, number.isFinite else { return "" }
    return DecimalText.shortest(number)
  }
}
