import Foundation
import StrataQuakes

/// A feed of another service than the USGS that has a name of its own.
public struct ServiceFeed: Equatable, Sendable {
  let name: String
  /// For people.
  let title: String
  /// Without the period.
  let url: String
  /// Given, because a list without earthquakes does not show it.
  let format: EventFormat
  /// The length of the period before the request that the URL asks for; nil if the service decides.
  var period: TimeInterval?
  /// For a WebSocket, the name of the feed that lists what it may have missed.
  var listing: String?

  /// Whether a list may be older than what its stream has brought; each event then says when it was updated.
  var isOrderedByUpdates = false

  var isStream: Bool { url.hasPrefix("ws") }

  /// The address of a request, with the start and the end of the period in UTC.
  static func url(_ url: String, period: TimeInterval?, at now: Date) -> String {
    guard let period else { return url }
    func text(_ date: Date) -> String { String(ISO8601.text(date).prefix(19)) }
    // Clocks differ, and events are reported late.
    return "\(url)?start=\(text(now - period))&end=\(text(now + 600))&format=json"
  }
}

extension ServiceFeed {
  static let all = emsc + bmkg + afad + jma

  /// https://www.seismicportal.eu: the service asks its users not to repeat requests for the list.
  private static let emsc = [
    ServiceFeed(
      name: "emsc", title: "the EMSC's reports of the world, as they come (WebSocket)",
      url: "wss://www.seismicportal.eu/standing_order/websocket", format: .geoJSON, listing: "emsc_day",
      isOrderedByUpdates: true),
    ServiceFeed(
      name: "emsc_day", title: "the world in the past day, from the EMSC",
      url: "https://www.seismicportal.eu/fdsnws/event/1/query", format: .geoJSON, period: 86_400,
      isOrderedByUpdates: true),
  ]

  /// https://data.bmkg.go.id/gempabumi
  private static let bmkg = [
    ("bmkg_latest", "the newest earthquake of Indonesia", "autogempa"),
    ("bmkg_recent", "the last 15 of Indonesia from magnitude 5", "gempaterkini"),
    ("bmkg_felt", "the last 15 that were felt in Indonesia", "gempadirasakan"),
  ].map {
    ServiceFeed(name: $0.0, title: $0.1, url: "https://data.bmkg.go.id/DataMKG/TEWS/\($0.2).json", format: .bmkg)
  }

  /// https://deprem.afad.gov.tr/event-service
  private static let afad = [("afad_day", "day", 86_400.0), ("afad_week", "week", 604_800)].map { name, age, period in
    ServiceFeed(
      name: name, title: "Turkey in the past \(age)", url: "https://deprem.afad.gov.tr/apiv2/event/filter",
      format: .afad, period: period)
  }

  private static let jma = [
    ServiceFeed(
      name: "jma", title: "the JMA's reports of Japan", url: "https://www.jma.go.jp/bosai/quake/data/list.json",
      format: .jma)
  ]

  /// One line for each feed.
  public static var list: String {
    let width = (all.map(\.name.count).max() ?? 0) + 2
    return all.map { feed in
      "  \(feed.name)\(String(repeating: " ", count: width - feed.name.count))\(feed.title)"
    }.joined(separator: "\n")
  }
}
