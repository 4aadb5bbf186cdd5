import Foundation
import StrataQuakes

/// CSV with the columns of the USGS; what the store does not keep is empty.
struct CSVWriter: EventWriter {
  mutating func head(count: Int, at time: Date) -> String {
    "time,latitude,longitude,depth,mag,magType,nst,gap,dmin,rms,net,id,updated,place,type,horizontalError,depthError,"
      + "magError,magNst,status,locationSource,magSource\n"
  }

  mutating func event(_ state: QuakeState, of service: String?) -> String {
    func number(_ field: QuakeField) -> String { NumberText.of(state.number(field)) }
    func text(_ field: QuakeField) -> String { Self.value(state.text(field) ?? "") }
    let columns = [
      Self.time(state.date(.time)), number(.latitude), number(.longitude), number(.depth), number(.magnitude),
      text(.magnitudeType), number(.nst), number(.gap), number(.dmin), number(.rms), text(.network),
      text(.identifier), Self.time(state.date(.updated)), Self.quoted(state.text(.place) ?? ""), text(.type), "", "",
      "", "", Self.value(state.exportedStatus ?? ""), "", "",
    ]
    return columns.joined(separator: ",") + "\n"
  }

  mutating func tail() -> String { "" }

  private static func time(_ date: Date?) -> String { date.map { ISO8601.text($0, hasMilliseconds: true) } ?? "" }

  private static func value(_ text: String) -> String {
    text.unicodeScalars.contains { $0 == "," || $0 == "\"" || Character($0).isNewline } ? quoted(text) : text
  }

  /// A line is an event, so a text has no line breaks.
  private static func quoted(_ text: String) -> String {
    "\"" + Terminal.printable(text).replacingScalars("\"", with: "\"\"") + "\""
  }
}
