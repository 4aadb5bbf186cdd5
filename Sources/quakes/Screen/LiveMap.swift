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
  private var failure: (any Error)?

  /// Kilometers around an earthquake.
  private static let nearRadius = 500.0
  /// The share of the map that an arrow moves it by.
  private static let step = 0.2

  /// - Parameter quake: what to show; nil for everything that the list's filter can find.
  init(_ list: ListView, around quake: Quake?) {
    self.list = list
    let filter = list.content.query.filter
    let circle =
      quake.flatMap { GeoCircle(latitude: $0.latitude, longitude: $0.longitude, radius: Self.nearRadius) }
      ?? filter.circle
    map = MapView(points: [], region: circle.map(MapRegion.init) ?? filter.box.map(MapRegion.init) ?? .world())
    if let outlines = list.store.outlines { map.outlines = outlines }
  }

  // MARK: Reading

  /// Reads what changed; until it is there, the former map stays.
  private func readIfNeeded(at now: Date) {
    let content = list.content
    guard version != content.version, !isReading else { return }
    (version, isReading) = (content.version, true)
    let needsOutlines = list.store.outlines == nil && list.store.reader.reference != nil
    let reading = LiveMapReading(list.store.container, content.query, needsOutlines: needsOutlines, at: now)
    reading.begin { [weak self] part in self?.take(part) }
  }

  private func take(_ part: LiveMapReading.Part) {
    switch part {
    case .outlines(let outlines): (map.outlines, list.store.outlines) = (outlines, outlines)
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
}
