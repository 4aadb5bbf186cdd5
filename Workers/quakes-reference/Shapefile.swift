import Foundation
import StrataQuakes

/// The rings of a shapefile of polygons: https://en.wikipedia.org/wiki/Shapefile
struct Shapefile {
  struct Point: Hashable {
    /// Degrees.
    var longitude: Double
    var latitude: Double
  }

  private(set) var rings: [[Point]] = []

  /// - Throws: `Failure` with status 6 for a file that is not a shapefile of polygons, or is truncated.
  init(_ url: URL) throws(Failure) {
    let data = try SourceFile.data(of: url)
    let bytes = ShapeBytes(data: data)
    // The header has 100 bytes; a record's has its number and its length in words of two bytes.
    guard bytes.bigInteger(at: 0) == 9994 else { throw Self.bad(url, "it is not a shapefile") }
    var start = 100
    while start < data.count {
      guard let words = bytes.bigInteger(at: start + 4), words >= 2, start + 8 + words * 2 <= data.count else {
        throw Self.bad(url, "it ends within a record")
      }
      guard let rings = bytes.rings(at: start + 8, upTo: start + 8 + words * 2) else {
        throw Self.bad(url, "the record at byte \(start) is not a polygon")
      }
      self.rings += rings
      start += 8 + words * 2
    }
  }

  private static func bad(_ url: URL, _ reason: String) -> Failure {
    Failure(.badResponse, "cannot read the coastlines of \(url.path): \(reason)")
  }
}

private struct ShapeBytes {
  let data: Data

  func bigInteger(at offset: Int) -> Int? { integer(at: offset).map { Int(Int32(bitPattern: $0.byteSwapped)) } }
  private func littleInteger(at offset: Int) -> Int? { integer(at: offset).map { Int(Int32(bitPattern: $0)) } }

  private func integer(at offset: Int) -> UInt32? {
    guard offset + 4 <= data.count else { return nil }
    return data.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
  }

  private func double(at offset: Int) -> Double {
    data.withUnsafeBytes {
      Double(bitPattern: UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
  }

  /// A record's rings: type 5, a box of four numbers, the numbers of rings and of points, each ring's first point, and the
  /// points.
  ///
  /// - Returns: none for the empty type 0; nil for anything else, and if they do not fit into the record.
  func rings(at start: Int, upTo end: Int) -> [[Shapefile.Point]]? {
    guard let type = littleInteger(at: start) else { return nil }
    if type == 0 { return [] }
    guard type == 5, let ringCount = littleInteger(at: start + 36), let pointCount = littleInteger(at: start + 40),
      ringCount > 0, pointCount > 0, start + 44 + ringCount * 4 + pointCount * 16 <= end
    else { return nil }
    let firsts = (0..<ringCount).compactMap { littleInteger(at: start + 44 + $0 * 4) } + [pointCount]
    let points = start + 44 + ringCount * 4
    var rings: [[Shapefile.Point]] = []
    for (first, next) in zip(firsts, firsts.dropFirst()) {
      guard first >= 0, first <= next, next <= pointCount else { return nil }
      rings.append(
        (first..<next).map { index in
          Shapefile.Point(
            longitude: double(at: points + index * 16), latitude: double(at: points + index * 16 + 8))
        })
    }
    return rings
  }
}
