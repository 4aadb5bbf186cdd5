import Foundation
import StrataQuakes

/// The boundaries of plates in a GeoJSON file, a collection of lines: https://www.rfc-editor.org/rfc/rfc7946
struct PlateFile {
  struct Boundary {
    var name: String?
    var positions: [(latitude: Float, longitude: Float)]
  }

  let boundaries: [Boundary]

  /// - Throws: `Failure` with status 6 for a file without such lines, or with invalid positions.
  init(_ url: URL) throws(Failure) {
    let data = try SourceFile.data(of: url)
    guard let collection = try? JSONDecoder().decode(Collection.self, from: data) else {
      throw Self.bad(url, "it is not a GeoJSON collection of lines")
    }
    boundaries = collection.features.flatMap { feature in
      feature.geometry.lines.map { line in
        Boundary(name: feature.properties?.name, positions: line.map { (Float($0.latitude), Float($0.longitude)) })
      }
    }
    guard !boundaries.isEmpty else { throw Self.bad(url, "it does not contain any lines") }
  }

  private static func bad(_ url: URL, _ reason: String) -> Failure {
    Failure(.badResponse, "cannot read the plate boundaries in \(url.path): \(reason)")
  }
}

private struct Collection: Decodable {
  let features: [Feature]
}

private struct Feature: Decodable {
  let properties: Properties?
  let geometry: Geometry

  struct Properties: Decodable {
    let name: String?

    enum CodingKeys: String, CodingKey { case name = "Name" }
  }
}

private struct Geometry: Decodable {
  let lines: [[Point]]

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    switch try values.decode(String.self, forKey: .type) {
    case "LineString": lines = [try values.decode([Point].self, forKey: .coordinates)]
    case "MultiLineString": lines = try values.decode([[Point]].self, forKey: .coordinates)
    case let type:
      throw DecodingError.dataCorruptedError(forKey: .type, in: values, debugDescription: "\(type) is not a line")
    }
  }

  enum CodingKeys: String, CodingKey { case type, coordinates }
}

private struct Point: Decodable {
  /// Degrees.
  let longitude: Double
  let latitude: Double

  init(from decoder: any Decoder) throws {
    var numbers = try decoder.unkeyedContainer()
    (longitude, latitude) = (try numbers.decode(Double.self), try numbers.decode(Double.self))
    guard abs(longitude) <= 360, abs(latitude) <= 90 else {
      throw DecodingError.dataCorruptedError(in: numbers, debugDescription: "a position is invalid")
    }
  }
}
