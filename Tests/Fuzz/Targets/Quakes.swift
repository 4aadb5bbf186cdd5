import Foundation
import StrataQuakes
import StrataQuakesConfig

@testable import StrataQuakesCommand
@testable import StrataQuakesFeeds

/// A feed's body in any format, read as a whole and through smaller windows. All return the same events, if the window is
/// large enough to detect the format.
@Sendable func feed(_ bytes: [UInt8]) {
  let now = Date(timeIntervalSince1970: 1_795_000_000)
  func events(window size: Int) -> [String]? {
    let window = BodyWindow(FeedBody(Data(bytes)), size: size, maximumSize: 1 << 20)
    guard var document = try? EventDocument(window, now: now) else { return nil }
    var events: [String] = []
    while let item = document.next() {
      if case .event(let event) = item { events.append("\(event)") }
    }
    return events
  }
  guard let whole = events(window: 1 << 20) else { return }
  // The input determines one of the sizes.
  let chosen = bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFF } + 1
  for size in [512, chosen] {
    guard let small = events(window: size) else { continue }
    promise(whole == small, "through a window of \(size) bytes:\n\(small)\nas a whole:\n\(whole)")
  }
}

/// The bytes that a server sends through a WebSocket: a response, or frames. However they arrive, the messages are the same,
/// and at most as large as allowed.
@Sendable func messages(_ bytes: [UInt8]) {
  let maximumSize = 4096
  func read(by step: Int) -> [String] {
    var (reader, found) = (WebSocketReader(maximumSize: maximumSize), [String]())
    for start in stride(from: 0, to: bytes.count, by: step) {
      reader.append(bytes[start..<min(bytes.count, start + step)])
      do {
        while let item = try reader.next() {
          if case .message(let message) = item {
            promise(message.count <= maximumSize, "a message of \(message.count) bytes")
          }
          found.append("\(item)")
        }
      } catch {
        return found + ["\(error)"]
      }
    }
    return found
  }
  let whole = read(by: max(1, bytes.count))
  let step = bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0x1F } + 1
  let parts = read(by: step)
  promise(whole == parts, "by \(step) bytes:\n\(parts)\nas a whole:\n\(whole)")
  // Fails for any response to another request.
  if var handshake = try? WebSocketHandshake("ws://host/", userAgent: "fuzz", key: "dGhlIHNhbXBsZSBub25jZQ==") {
    for start in stride(from: 0, to: bytes.count, by: step) {
      guard let rest = try? handshake.append(Array(bytes[start..<min(bytes.count, start + step)])) else { continue }
      promise(rest.count < step, "\(rest.count) bytes follow the response")
      break
    }
  }
}

/// The header of a response. Every wait is finite, and values that are sent back are one line.
@Sendable func headers(_ bytes: [UInt8]) {
  var headers = ResponseHeaders()
  for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) { headers.take(line) }
  let now = Date(timeIntervalSince1970: 1_795_000_000)
  for wait in [headers.freshness(at: now), headers.retryAfter(at: now)].compactMap(\.self) {
    promise(.zero...(.seconds(86_400)) ~= wait, "a wait of \(wait)")
  }
  for name in ["etag", "last-modified"] {
    promise(headers[name].map(ResponseHeaders.isText) ?? true, "\(name) has characters that are not text")
  }
}

/// The settings file. Each accepted value is written as text that parses to the same value.
@Sendable func settings(_ bytes: [UInt8]) {
  guard let settings = read(bytes) else { return }
  for row in Settings.all {
    guard let value = settings.value(of: row) else { continue }
    let text = "[\(row.table)]\n\(row.name) = \(value.text)\n"
    promise(read(Array(text.utf8))?.value(of: row) == value, "what was read is written as\n\(text)")
  }
  for name in settings.filterNames {
    _ = try? settings.arguments(ofFilter: name)
    for (word, value) in settings.words(ofFilter: name) {
      let text = "[filter.\(SettingValue.key(name))]\n\(word) = \(value.text)\n"
      let again = read(Array(text.utf8))?.words(ofFilter: name).first
      promise(again?.name == word && again?.value == value, "what was read is written as\n\(text)")
    }
  }
}

private func read(_ bytes: [UInt8]) -> Settings? {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-settings-\(getpid())").path
  guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return nil }
  defer { unlink(path) }
  return try? SettingsFile(option: path).settings()
}

/// Text that is typed into the screen's filter. It is rejected, or it is a filter that can be fetched and that its own text
/// describes.
@Sendable func filter(_ bytes: [UInt8]) {
  guard let text = String(validating: bytes, as: UTF8.self), let filter = try? ScreenFilter(text) else { return }
  let now = Date(timeIntervalSince1970: 1_795_000_000)
  _ = Quake.matching(filter.filter(at: Moment(now, in: .universal), circle: nil) { _ in [] })
  promise((try? ScreenFilter(filter.text)) == filter, "\(text.debugDescription) means another filter than its own text")
}

/// Times, durations, distances, boxes and zones as users type them.
@Sendable func words(_ bytes: [UInt8]) {
  guard let text = String(validating: bytes, as: UTF8.self) else { return }
  let now = Date(timeIntervalSince1970: 1_795_000_000)
  if let date = Moment(now, in: .universal).date(text) { _ = Age.text(of: date, at: now) }
  if let length = Age.length(text) { promise(length.isFinite, "a length of \(length) s") }
  if let distance = DistanceText.kilometers(text) { promise(distance >= 0 && distance.isFinite, "\(distance) km") }
  if let box = GeoBox(text) { promise(GeoBox(box.text) == box, "\(box.text) is another box") }
  if let date = ISO8601.date(text) {
    let again = ISO8601.date(ISO8601.text(date, hasMilliseconds: true))
    promise(
      again.map { abs($0.timeIntervalSince(date)) < 0.002 } ?? false,
      "\(date) is written as \(String(describing: again))")
  }
  if let zone = DisplayZone(name: text) { _ = zone.startOfDay(now) }
  for limit in 0..<8 {
    let fitted = DisplayWidth.fitted(text, to: limit)
    promise(DisplayWidth.columns(fitted) <= limit, "\(fitted.debugDescription) has more than \(limit) columns")
  }
}
