import Foundation
import StrataQuakes

/// Places positions on a rectangle of square units, such as dots or pixels: equirectangular, with the meridians as far
/// apart as they are on the parallel in the middle. The origin is the upper left corner.
struct MapProjection: Equatable {
  /// The part of the rectangle that the map occupies: the Earth may be smaller.
  let width: Double
  let height: Double
  /// The visible area, in degrees.
  let visible: MapRegion
  /// Units a degree.
  private let xScale: Double
  private let yScale: Double

  /// - Parameters: the rectangle's size, at least 1.
  init(_ region: MapRegion, width: Double, height: Double) {
    // Near a pole the meridians would meet.
    let shrinking = max(0.05, cos(region.latitude * .pi / 180))
    yScale = min(width / (region.width * shrinking), height / region.height)
    xScale = yScale * shrinking
    visible = MapRegion(
      latitude: region.latitude, longitude: region.longitude, width: width / xScale, height: height / yScale)
    self.width = min(width, visible.width * xScale)
    self.height = min(height, visible.height * yScale)
  }

  /// - Returns: nil for what is not on the map, or no position.
  func point(latitude: Double, longitude: Double) -> (x: Double, y: Double)? {
    guard abs(latitude) <= 90, longitude.isFinite else { return nil }
    let (x, y) = (x(offset: MapRegion.wrapped(longitude - visible.longitude)), y(latitude))
    return 0...width ~= x && 0...height ~= y ? (x, y) : nil
  }

  /// - Parameter offset: degrees from the meridian in the middle.
  private func x(offset: Double) -> Double { (offset + visible.width / 2) * xScale }

  private func y(_ latitude: Double) -> Double { (visible.latitude + visible.height / 2 - latitude) * yScale }

  /// Calls with what of a line is on the map, part by part. Where the line leaves the map at one side and comes back at
  /// the other, nothing is between.
  func forEachSegment(of line: [MapPosition], _ body: (Segment) -> Void) {
    guard var last = line.first, last.isOnEarth else { return }
    for next in line.dropFirst() {
      guard next.isOnEarth else { return }
      let start = MapRegion.wrapped(last.longitude - visible.longitude)
      let end = start + MapRegion.wrapped(next.longitude - last.longitude)
      let (startY, endY) = (y(last.latitude), y(next.latitude))
      // The same part of the line as seen after a turn around the Earth.
      for turn in [0.0, 360, -360] {
        let segment = Segment(x: x(offset: start + turn), y: startY, toX: x(offset: end + turn), toY: endY)
        if let part = segment.clipped(width: width, height: height) { body(part) }
      }
      last = next
    }
  }
}

extension MapProjection {
  typealias Point = (x: Double, y: Double)

  /// The distance at which points look the same.
  private static let tolerance = 0.5

  /// The parts of a line on the map, without points that make no visible difference.
  func paths(of line: [MapPosition]) -> [[Point]] {
    var (paths, end): ([[Point]], Point?) = ([], nil)
    forEachSegment(of: line) { part in
      let next = (x: part.toX, y: part.toY)
      if let end, abs(end.x - part.x) < 0.01, abs(end.y - part.y) < 0.01 {
        paths[paths.count - 1].append(next)
      } else {
        paths.append([(part.x, part.y), next])
      }
      end = next
    }
    return paths.map { LineSimplification.simplified($0, tolerance: Self.tolerance) }
  }

  /// The parts of a closed outline on the map: one for each turn around the Earth that reaches the map.
  func areas(of outline: [MapPosition]) -> [[Point]] {
    guard outline.allSatisfy(\.isOnEarth) else { return [] }
    return [0.0, 360, -360].compactMap { turn in
      let points = outline.map { (x: x(offset: $0.longitude - visible.longitude + turn), y: y($0.latitude)) }
      let area = LineSimplification.simplified(clipped(points), tolerance: Self.tolerance)
      return area.count > 2 ? area : nil
    }
  }

  /// The part of a closed outline within the map, after Sutherland and Hodgman (1974).
  private func clipped(_ outline: [Point]) -> [Point] {
    let insides: [(Point) -> Double] = [{ $0.x }, { width - $0.x }, { $0.y }, { height - $0.y }]
    return insides.reduce(outline) { points, inside in
      // Most outlines are elsewhere.
      guard points.contains(where: { inside($0) >= 0 }) else { return [] }
      var kept: [Point] = []
      for (start, end) in zip(points, points.dropFirst() + points.prefix(1)) {
        let (first, second) = (inside(start), inside(end))
        if first >= 0 { kept.append(start) }
        if (first >= 0) != (second >= 0) {
          let share = first / (first - second)
          kept.append((start.x + share * (end.x - start.x), start.y + share * (end.y - start.y)))
        }
      }
      return kept
    }
  }
}

extension MapPosition {
  fileprivate var isOnEarth: Bool { abs(latitude) <= 90 && abs(longitude) <= 360 }
}

/// A straight line from one point to another.
struct Segment: Equatable {
  var x: Double
  var y: Double
  var toX: Double
  var toY: Double

  /// The part within a rectangle, after Liang and Barsky (1984).
  ///
  /// - Returns: nil if the segment is outside.
  func clipped(width: Double, height: Double) -> Segment? {
    let (dx, dy) = (toX - x, toY - y)
    var (start, end) = (0.0, 1.0)
    for (direction, distance) in [(-dx, x), (dx, width - x), (-dy, y), (dy, height - y)] {
      if direction == 0 {
        if distance < 0 { return nil }
      } else if direction < 0 {
        start = max(start, distance / direction)
      } else {
        end = min(end, distance / direction)
      }
    }
    guard start <= end else { return nil }
    return Segment(
      x: start == 0 ? x : x + start * dx, y: start == 0 ? y : y + start * dy,
      toX: end == 1 ? toX : x + end * dx, toY: end == 1 ? toY : y + end * dy)
  }
}
