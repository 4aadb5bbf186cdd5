import Foundation
import StrataQuakes

/// The text format of FDSN event services as a feed: a line an event, columns separated by `|` and named by the first
/// line. Only what the format tells goes into the feed.
enum EventText {
  /// - Throws: `Failure` if it is not this format.
  static func feed(from body: BodyFile) throws -> BodyFile {
    let text = String(decoding: try body.body().read(upTo: body.count), as: UTF8.self)
    var lines = text.split(whereSeparator: \.isNewline)[...]
    guard let head = lines.popFirst(), head.hasPrefix("#") else {
      throw Failure(.badAnswer, "the service's text does not begin with the names of its columns")
    }
    let columns = Columns(head.dropFirst())
    var json = JSONText()
    json.object { json in
      json.string("type", "FeatureCollection")
      json.array("features") { json in
        for line in lines where !line.hasPrefix("#") { columns.write(fields(line), to: &json) }
      }
    }
    var feedText = json.text
    let feed = try BodyFile(of: "the service's text", maximumSize: .max)
    let written = feedText.withUTF8 { bytes in
      Result { () throws(Failure) in try feed.append(UnsafeRawBufferPointer(bytes)) }
    }
    try written.get()
    return feed
  }

  private static func fields(_ line: Substring) -> [String] {
    line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private struct Columns {
    private var indices: [String: Int] = [:]

    init(_ head: Substring) {
      for (index, name) in fields(head).enumerated() { indices[name.lowercased()] = index }
    }

    /// Writes an event; a field without a column is left out, and what has the wrong form is null.
    func write(_ fields: [String], to json: inout JSONText) {
      func value(_ name: String) -> String? {
        guard let index = indices[name], fields.indices.contains(index), !fields[index].isEmpty else { return nil }
        return fields[index]
      }
      json.object { json in
        json.string("type", "Feature")
        json.string("id", value("eventid"))
        json.object("properties") { json in
          let time = value("time").flatMap { ISO8601.date($0) }
          json.number("time", time.map { ($0.timeIntervalSince1970 * 1000).rounded() })
          if indices["magnitude"] != nil { json.number("mag", value("magnitude").flatMap { Double($0) }) }
          for (name, column) in [("magType", "magtype"), ("place", "eventlocationname"), ("type", "eventtype")]
          where indices[column] != nil {
            json.string(name, value(column))
          }
        }
        json.object("geometry") { json in
          json.string("type", "Point")
          json.array("coordinates") { json in
            for column in ["longitude", "latitude", "depth/km"] { json.number(value(column).flatMap { Double($0) }) }
          }
        }
      }
    }
  }
}
