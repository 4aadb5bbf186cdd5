import Foundation

/// The cities in memory, by cells of one degree, to find the one nearest to an epicenter: 16 bytes a city and 0.25 MiB.
public struct CityGrid: Sendable {
  /// The nearest city, as seen from it.
  public struct Nearest: Equatable, Sendable {
    public var geonamesID: Int32
    /// Kilometers.
    public var distance: Double
    /// The direction from the city to the epicenter: degrees clockwise from north, 0 up to 360.
    public var bearing: Double
  }

  /// On the unit sphere, single precision is half a metre.
  private struct Place {
    var x: Float
    var y: Float
    var z: Float
    var geonamesID: Int32
  }

  /// Kilometers within which to look, one after the other: nearly all earthquakes have a city within the first two, and
  /// a city beyond the last does not describe an earthquake's location.
  private static let radii = [30.0, 100, 300, 1000]
  private static let (rows, columns) = (180, 360)

  /// By cell, row by row from the south.
  private let places: [Place]
  /// The index of each cell's first place, and of the end.
  private let starts: [Int32]

  /// - Parameter cities: positions in degrees; invalid ones are left out.
  public init(_ cities: some Sequence<(geonamesID: Int32, latitude: Double, longitude: Double)>) {
    var (cells, unsorted): ([Int], [Place]) = ([], [])
    for city in cities {
      guard let cell = Self.cell(city.latitude, city.longitude) else { continue }
      let vector = UnitVector(city.latitude, city.longitude)
      cells.append(cell.row * Self.columns + Int(cell.column))
      unsorted.append(
        Place(x: Float(vector.x), y: Float(vector.y), z: Float(vector.z), geonamesID: city.geonamesID))
    }
    var starts = [Int32](repeating: 0, count: Self.rows * Self.columns + 1)
    for cell in cells { starts[cell + 1] += 1 }
    for cell in 0..<Self.rows * Self.columns { starts[cell + 1] += starts[cell] }
    places = unsorted.indices.sorted { cells[$0] < cells[$1] }.map { unsorted[$0] }
    self.starts = starts
  }

  public var count: Int { places.count }

  /// - Parameters: degrees, north and east positive.
  /// - Returns: nil if no city is within 1000 km, or if the position is invalid.
  public func nearest(latitude: Double, longitude: Double) -> Nearest? {
    guard let cell = Self.cell(latitude, longitude) else { return nil }
    let epicenter = UnitVector(latitude, longitude)
    for radius in Self.radii {
      let part = Surroundings(latitude: latitude, column: cell.column, angle: radius / GreatCircle.radius)
      if let place = nearest(to: epicenter, in: part) { return seen(epicenter, from: place) }
    }
    return nil
  }

  private func nearest(to epicenter: UnitVector, in part: Surroundings) -> Place? {
    let (x, y, z) = (Float(epicenter.x), Float(epicenter.y), Float(epicenter.z))
    var (found, least): (Int?, Float) = (nil, part.squaredChord)
    for row in part.rows {
      for columns in [part.columns, part.wrappedColumns] where !columns.isEmpty {
        let start = row * Self.columns + columns.lowerBound
        for index in Int(starts[start])..<Int(starts[start + columns.count]) {
          let (dx, dy, dz) = (places[index].x - x, places[index].y - y, places[index].z - z)
          let square = dx * dx + dy * dy + dz * dz
          if square < least { (found, least) = (index, square) }
        }
      }
    }
    return found.map { places[$0] }
  }

  /// The distance is the haversine formula's: the sine of half the angle is half of the chord.
  private func seen(_ epicenter: UnitVector, from place: Place) -> Nearest {
    let (x, y, z) = (Double(place.x), Double(place.y), Double(place.z))
    let (dx, dy, dz) = (epicenter.x - x, epicenter.y - y, epicenter.z - z)
    let chord = (dx * dx + dy * dy + dz * dz).squareRoot()
    let axis = max(1e-12, (x * x + y * y).squareRoot())
    let east = (epicenter.y * x - epicenter.x * y) / axis
    let north = epicenter.z * axis - z * (epicenter.x * x + epicenter.y * y) / axis
    let bearing = atan2(east, north) * 180 / .pi
    return Nearest(
      geonamesID: place.geonamesID, distance: 2 * GreatCircle.radius * asin(min(1, chord / 2)),
      bearing: bearing < 0 ? bearing + 360 : bearing)
  }

  /// - Returns: the row from the south, and the column from 180° W with its fraction; nil for no position.
  private static func cell(_ latitude: Double, _ longitude: Double) -> (row: Int, column: Double)? {
    guard abs(latitude) <= 90, longitude.isFinite else { return nil }
    let column = (longitude + 180).truncatingRemainder(dividingBy: 360)
    // The sum of a tiny negative number and 360 is 360.
    return (min(rows - 1, Int(latitude + 90)), column < 0 ? min(column + 360, 360.nextDown) : column)
  }
}

private struct UnitVector {
  var x: Double
  var y: Double
  var z: Double

  /// - Parameters: degrees.
  init(_ latitude: Double, _ longitude: Double) {
    let (north, east) = (latitude * .pi / 180, longitude * .pi / 180)
    (x, y, z) = (cos(north) * cos(east), cos(north) * sin(east), sin(north))
  }
}

/// The cells that a circle around a point reaches.
private struct Surroundings {
  let rows: ClosedRange<Int>
  let columns: Range<Int>
  /// Those beyond 180°.
  let wrappedColumns: Range<Int>
  /// The square of the chord from the center to the circle.
  let squaredChord: Float

  /// - Parameters:
  ///   - latitude: of the center, in degrees.
  ///   - column: of the center.
  ///   - angle: the circle's radius on the unit sphere, less than a quarter of it.
  init(latitude: Double, column: Double, angle: Double) {
    let height = angle * 180 / .pi
    rows = max(0, Int((latitude + 90 - height).rounded(.down)))...min(179, Int(latitude + 90 + height))
    let chord = 2 * sin(angle / 2)
    squaredChord = Float(chord * chord)
    // A circle around a pole has all longitudes. The widest point of others is nearer to the pole than the center.
    guard abs(latitude) + height < 90 else {
      (columns, wrappedColumns) = (0..<360, 0..<0)
      return
    }
    let width = asin(sin(angle) / cos(latitude * .pi / 180)) * 180 / .pi
    let (first, last) = (Int((column - width).rounded(.down)), Int((column + width).rounded(.down)))
    if last - first >= 359 {
      (columns, wrappedColumns) = (0..<360, 0..<0)
    } else if first < 0 {
      (columns, wrappedColumns) = (0..<last + 1, first + 360..<360)
    } else if last >= 360 {
      (columns, wrappedColumns) = (first..<360, 0..<last - 359)
    } else {
      (columns, wrappedColumns) = (first..<last + 1, 0..<0)
    }
  }
}
