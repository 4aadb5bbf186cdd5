import Foundation
import StrataQuakes
import StrataQuakesScreen

/// A body in any format, as a whole and through a small window: the same events, if the window shows what format it is.
@Sendable func feed(_ bytes: [UInt8]) {
  let now = Date(timeIntervalSince1970: 1_795_000_000)
  func events(window size: Int) -> [String]? {
    let window = BodyWindow(FeedBody(Data(bytes)), size: size, largestSize: 1 << 20)
    guard var document = try? EventDocument(window, now: now) else { return nil }
    var events: [String] = []
    while let item = document.next() {
      if case .event(let event) = item { events.append("\(event)") }
    }
    return events
  }
  let whole = events(window: 1 << 20)
  guard let whole, let small = events(window: 512) else { return }
  promise(whole == small, "through a small window:\n\(small)\nas a whole:\n\(whole)")
}

/// What the world says, in the form of each status bar: one line, no control characters, and the bar's own syntax.
@Sendable func bars(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let now = Date(timeIntervalSince1970: 1_795_000_000)
  var quake = QuakeFacts()
  (quake.magnitude, quake.place, quake.time, quake.url) = (6.1, text, now.addingTimeInterval(-60), text)
  quake.alert = text
  let line = BarLine(
    Summary(recent: [quake], today: 1, now: now, staleReason: text), template: .usual, width: nil, whenNone: "none")
  for form in SummaryForm.allCases {
    let output = form.text(line, isFollowing: false).text
    promise(
      !output.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control },
      "\(form) lets a control character through: \(output.debugDescription)")
    if output.hasPrefix("{") {
      promise((try? JSONSerialization.jsonObject(with: Data(output.utf8))) != nil, "\(form) is no JSON: \(output)")
    }
  }
}

/// What a terminal sends, in parts of any size.
@Sendable func keys(_ bytes: [UInt8]) {
  var decoder = KeyDecoder()
  let whole = decoder.keys(bytes) + decoder.flush()
  var parts = KeyDecoder()
  let single = bytes.flatMap { parts.keys(CollectionOfOne($0)) } + parts.flush()
  promise("\(whole)" == "\(single)", "\(whole)\nbyte by byte:\n\(single)")
}
