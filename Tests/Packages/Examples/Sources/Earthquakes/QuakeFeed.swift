import Foundation

/// A feed of earthquakes, as the USGS publishes it in GeoJSON.
public struct QuakeFeed: Decodable, Sendable {
  public let quakes: [Record]

  /// An earthquake of the feed.
  public struct Record: Decodable, Sendable {
    public let code: String
    public let magnitude: Double
    public let place: String?
    public let time: Date
    public let updated: Date

    private enum CodingKeys: String, CodingKey { case code, magnitude = "mag", place, time, updated }
  }

  /// Reads the body of a feed. Records without a code, a magnitude or a time are skipped.
  public init(json: Data) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .millisecondsSince1970
    self = try decoder.decode(QuakeFeed.self, from: json)
  }

  private enum CodingKeys: String, CodingKey { case features }
  private struct Feature: Decodable { let properties: Properties }
  private struct Properties: Decodable {
    let record: Record?
    init(from decoder: any Decoder) { record = try? Record(from: decoder) }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    quakes = try container.decode([Feature].self, forKey: .features).compactMap(\.properties.record)
  }
}
