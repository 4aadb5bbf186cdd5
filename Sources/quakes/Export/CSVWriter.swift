import Foundation
import StrataQuakes

/// CSV with the columns of the USGS, and after them the fields that the USGS has only in GeoJSON.
struct CSVWriter: EventWriter {
  private static let columns = StoredField.all.filter { $0.usgs?.column != nil }
    .sorted { ($0.usgs?.column ?? 0) < ($1.usgs?.column ?? 0) }

  mutating func head(count: Int, at time: Date) -> String {
    Self.columns.map { $0.usgs?.name ?? "" }.joined(separator: ",") + "\n"
  }

  mutating func event(_ state: QuakeState, of service: String?) -> String {
    Self.columns.map { Self.text(of: $0.field, in: state) }.joined(separator: ",") + "\n"
  }

  private static func text(of field: QuakeField, in state: QuakeState) -> String {
    switch state.exported(field) {
    case .number(let number)?: NumberText.of(number)
    case .date(let date)?: ISO8601.text(date, hasMilliseconds: true)
    // The USGS quotes places only.
    case .text(let text)?: field == .place ? quoted(text) : value(text)
    case nil: field == .place ? quoted("") : ""
    }
  }

  mutating func tail() -> String { "" }

  private static func value(_ text: String) -> String {
    text.unicodeScalars.contains { $0 == "," || $0 == "\"" || Character($0).isNewline } ? quoted(text) : text
  }

  /// A line is an event, so a text has no line breaks.
  private static func quoted(_ text: String) -> String {
    "\"" + Terminal.printable(text).replacingScalars("\"", with: "\"\"") + "\""
  }
}
