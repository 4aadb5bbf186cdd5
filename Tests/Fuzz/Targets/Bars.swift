import Foundation
import StrataQuakes

@testable import StrataQuakesSummary

/// Untrusted text in the form of each status bar. Parsed as by the bar, it equals the text of the line.
@Sendable func bars(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let now = Date(timeIntervalSince1970: 1_795_000_000)
  var quake = QuakeFacts()
  (quake.magnitude, quake.place, quake.time, quake.url) = (6.1, text, now.addingTimeInterval(-60), text)
  quake.alert = text
  let summary = Summary(recent: [quake, quake], today: 1, now: now, staleReason: bytes.count % 3 == 0 ? text : nil)
  let templates = [.standard, try? SummaryTemplate("{place}"), try? SummaryTemplate(text)].compactMap(\.self)
  let line = BarLine(
    summary, template: templates[bytes.count % templates.count], width: bytes.count % 5 == 0 ? 12 : nil,
    whenNone: "none")
  for form in SummaryForm.allCases {
    for isFollowing in [false, true] {
      let output = form.text(line, isFollowing: isFollowing).text
      promise(
        !output.unicodeScalars.contains { $0 != "\n" && isControl($0) },
        "\(form) contains a control character: \(output.debugDescription)")
      let reader = BarReader(line: line, output: output)
      promise(
        reader.isRead(as: form, isFollowing),
        "\(form): \(line.text.debugDescription) is\n\(output.debugDescription)")
    }
  }
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
  [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
}
