import Foundation
import StrataQuakes
import StrataQuakesMap
import StrataQuakesScreen

/// The earthquakes of the list on a map, the selected one marked out.
@MainActor
final class LiveMap: ScreenView {
  let kind = ScreenKind.map
  /// Called when there is more to show.
  var onChange: (@MainActor () -> Void)?

  private let list: ListView
  private var map: MapView
  /// The part of the Earth that `lines` showed last.
  private var visible = MapRegion.world()
  private var labels: (region: MapRegion, labels: [MapLabel])?
  /// The earthquake that the map was last moved to, if it had to be.
  private var followed: String?
  /// Whether the user chose the middle.
  private var isPanned = false
  /// The version of the list whose earthquakes are shown or being read.
  private var version: Int?
  private var isReading = false
  /// The part of the Earth whose outlines the map has.
  private var outlined = Outlined.nothing
  /// Whether outlines are being read, or cannot be.
  private var isReadingOutlines = false
  private var failure: (any Error)?

  private enum Outlined {
    case nothing
    case world
    /// With details.
    case part(MapRegion)
  }

  /// Kilometers around an earthquake.
  private static let nearRadius = 500.0
  /// The share of the map that an arrow moves it by.
  private static let step = 0.2

  var state: ScreenState.OpenView? { .map(map.region) }

  /// The map of the former version of this program.
  convenience init(_ list: ListView, region: MapRegion) {
    self.init(list, around: nil)
    (map.region, isPanned) = (region, true)
  }

  /// - Parameter quake: what to show; nil for everything that the list's filter can find.
  init(_ list: ListView, around quake: Quake?) {
    self.list = list
    let filter = list.fetched.query.filter
    let circle =
      quake.flatMap { GeoCircle(latitude: $0.latitude, longitude: $0.longitude, radius: Self.nearRadius) }
      ?? filter.circle
    map = MapView(points: [], region: circle.map(MapRegion.init) ?? filter.box.map(MapRegion.init) ?? .world())
  }

  // MARK: Reading

  /// Reads what changed; until it is there, the former map stays.
  private func readIfNeeded(at now: Date) {
    let fetched = list.fetched
    guard version != fetched.version, !isReading else { return }
    (version, isReading) = (fetched.version, true)
    LiveMapReading(list.store.container, fetched.query, at: now).begin { [weak self] result in self?.take(result) }
  }

  /// - Parameter height: of the map, in dots.
  private func readOutlinesIfNeeded(height: Int) {
    guard list.store.reader.reference != nil, !isReadingOutlines else { return }
    switch (MapOutlines.needsDetails(visible, height: height), outlined) {
    case (true, .part(let region)) where region.contains(visible): break
    case (true, _):
      // The surroundings, for the next steps to each side.
      let surroundings = visible.zoomed(1.0 / 3)
      readOutlines(.part(surroundings), visible: surroundings, height: 3 * height)
    case (false, .world): break
    case (false, _):
      if let outlines = list.store.outlines {
        (map.outlines, outlined) = (outlines, .world)
      } else {
        readOutlines(.world, visible: .world(), height: 1)
      }
    }
  }

  private func readOutlines(_ part: Outlined, visible: MapRegion, height: Int) {
    isReadingOutlines = true
    LiveMapReading.beginOutlines(list.store.container, visible: visible, height: height) { [weak self] outlines in
      // A Reference store that cannot be read costs the lines.
      guard let self, let outlines else { return }
      (map.outlines, outlined, isReadingOutlines) = (outlines, part, false)
      if case .world = part { list.store.outlines = outlines }
      onChange?()
    }
  }

  private func take(_ result: LiveMapReading.Result) {
    switch result {
    case .points(let points): (map.points, isReading) = (points, false)
    case .failure(let error): (failure, isReading) = (error, false)
    }
    onChange?()
  }

  // MARK: Drawing

  func lines(_ size: ScreenSize, _ look: ScreenLook) throws -> [OutputText] {
    if let failure { throw failure }
    readIfNeeded(at: look.now)
    let style = MapStyle(
      form: Environment.isLocaleUTF8 ? .braille : .ascii, hasColor: look.hasColor, hasFrame: size.rows > 10)
    let legend = size.rows > 13 ? [MapLegend(style, hasPlates: !map.outlines.plates.isEmpty)] : []
    let rows = size.rows - 2 - legend.count
    let frame = style.hasFrame ? 2 : 0
    func see() { visible = map.region.visible(width: (size.columns - frame) * 2, height: (rows - frame) * 4) }
    see()
    let quake = list.selectedQuake.map(list.facts)
    if follow(quake) { see() }
    readOutlinesIfNeeded(height: (rows - frame) * 4)
    readLabels()
    return [list.title(size, look)] + map.lines(columns: size.columns, rows: rows, style: style)
      + [line(quake, size, look)] + legend.map { $0.line(columns: size.columns) }
  }

  /// Moves the map to an earthquake that was selected and is not on it.
  ///
  /// - Returns: whether it moved.
  private func follow(_ quake: QuakeFacts?) -> Bool {
    guard let quake, quake.identifier != followed else { return false }
    (followed, map.selected) = (quake.identifier, quake.identifier)
    if map.points.isEmpty { map.points = [MapPoint(quake)] }
    guard !visible.contains(latitude: quake.latitude, longitude: quake.longitude) else { return false }
    map.region = map.region.centered(latitude: quake.latitude, longitude: quake.longitude)
    isPanned = false
    return true
  }

  private func readLabels() {
    if labels?.region != visible { labels = (visible, MapLabel.cities(in: visible, of: list.store.reader)) }
    map.labels = labels?.labels ?? []
  }

  private func line(_ quake: QuakeFacts?, _ size: ScreenSize, _ look: ScreenLook) -> OutputText {
    guard let quake else { return look.dim(DisplayWidth.fitted("no earthquake matches", to: size.columns)) }
    let age = Age.text(of: quake.time, at: look.now, style: look.style)
    let text = "M \(quake.magnitudeText) \(quake.placeText) · \(age) · \(look.style.depth(of: quake))"
    return look.terminal(columns: size.columns).colored(
      DisplayWidth.fitted(text, to: size.columns), magnitude: quake.magnitude)
  }

  // MARK: Keys

  func perform(_ command: ScreenCommand) -> Bool {
    switch command {
    case .panLeft: pan(east: -Self.step)
    case .panRight: pan(east: Self.step)
    case .panUp: pan(north: Self.step)
    case .panDown: pan(north: -Self.step)
    case .zoomIn: zoom(2)
    case .zoomOut: zoom(0.5)
    case .world: (map.region, isPanned) = (.world(), false)
    default: return false
    }
    return true
  }

  private func pan(east: Double = 0, north: Double = 0) {
    // By what is seen: the map can show more than its region.
    map.region = MapRegion(
      latitude: map.region.latitude + north * visible.height, longitude: map.region.longitude + east * visible.width,
      width: map.region.width, height: map.region.height)
    isPanned = true
  }

  /// Zooms toward the selected earthquake, unless the user moved the map elsewhere.
  private func zoom(_ factor: Double) {
    map.region = map.region.zoomed(factor)
    guard factor > 1, !isPanned, let quake = list.selectedQuake else { return }
    map.region = map.region.centered(latitude: quake.latitude, longitude: quake.longitude)
  }
}

extension MapPoint {
  /// Without a title, and of no age: terminals show neither.
  fileprivate init(_ quake: QuakeFacts) {
    self.init(
      identifier: quake.identifier, latitude: quake.latitude, longitude: quake.longitude, magnitude: quake.magnitude,
      depth: quake.depth)
  }
}

extension MapRegion {
  fileprivate func contains(latitude: Double, longitude: Double) -> Bool {
    let east = abs((longitude - self.longitude).remainder(dividingBy: 360))
    return abs(latitude - self.latitude) <= height / 2 && east <= width / 2
  }

  /// The poles are edges of every region.
  fileprivate func contains(_ other: MapRegion) -> Bool {
    let east = abs((other.longitude - longitude).remainder(dividingBy: 360))
    return abs(other.latitude - latitude) <= (height - other.height) / 2 + 0.001
      && (width >= 360 || east <= (width - other.width) / 2 + 0.001)
  }
}
