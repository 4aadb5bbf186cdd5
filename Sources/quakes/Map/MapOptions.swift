import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesMap
import StrataQuakesPicture

/// The area and the appearance of a map.
struct MapOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The meridian or position at the center (default: 180, the Pacific).", valueName: "LON|LAT,LON"),
    transform: center)
  var center: MapPosition?

  @Option(help: ArgumentHelp("The zoom factor around the center.", valueName: "factor"))
  var zoom = 1.0

  @Option(
    help: ArgumentHelp("The colors of the marks: by depth (the default) or age.", valueName: "property"),
    transform: colorKey
  )
  var colorBy = MarkColor.Key.depth

  @Flag(help: "Hide the boundaries of the tectonic plates.")
  var noPlates = false

  @Flag(help: "Hide the names of the largest cities on a map of a region.")
  var noLabels = false

  @Flag(help: "Draw meridians and parallels.")
  var graticule = false

  @Flag(help: "Hide the frame.")
  var noFrame = false

  @Flag(help: "Draw with half blocks, for fonts without Braille patterns.")
  var blocks = false

  @Flag(help: "Draw with ASCII characters, the default if the locale is not UTF-8.")
  var ascii = false

  @Option(help: ArgumentHelp("The maximum number of columns (default: the terminal's, or 80).", valueName: "columns"))
  var width: Int?

  @Option(help: ArgumentHelp("The maximum number of lines (default: the terminal's, or 24).", valueName: "lines"))
  var height: Int?

  mutating func validate() throws {
    if let width, !(20...1000 ~= width) { throw ValidationError("--width must be from 20 to 1000.") }
    if let height, !(8...500 ~= height) { throw ValidationError("--height must be from 8 to 500.") }
    if !(1...10_000 ~= zoom) { throw ValidationError("--zoom must be from 1 to 10000.") }
    if blocks, ascii { throw ValidationError("--blocks and --ascii exclude each other.") }
  }

  private static func center(_ text: String) throws -> MapPosition {
    if let (latitude, longitude) = PositionText.position(text) {
      return MapPosition(latitude: latitude, longitude: longitude)
    }
    if let longitude = Double(text.trimmingCharacters(in: .whitespaces)), abs(longitude) <= 360 {
      return MapPosition(latitude: 0, longitude: longitude)
    }
    throw ValidationError("it must be a longitude such as 180 or a position such as -20,180, not \"\(text)\".")
  }

  private static func colorKey(_ text: String) throws -> MarkColor.Key {
    if let key = MarkColor.Key(rawValue: text) { return key }
    throw ValidationError("it must be depth or age, not \"\(text)\".")
  }

  /// The region of a filter, or the world.
  func region(of filter: QuakeFilter) -> MapRegion {
    var region =
      filter.circle.map(MapRegion.init) ?? (filter.box ?? filter.region?.cells.box).map(MapRegion.init) ?? .world()
    region = region.zoomed(zoom)
    return center.map { region.centered(latitude: $0.latitude, longitude: $0.longitude) } ?? region
  }

  private func style(_ terminal: Terminal) -> MapStyle {
    MapStyle(
      form: ascii ? .ascii : blocks ? .blocks : Environment.isLocaleUTF8 ? .braille : .ascii, colorKey: colorBy,
      hasColor: terminal.hasColor, hasFrame: !noFrame, hasPlates: !noPlates, hasGraticule: graticule)
  }

  /// Draws for standard output, with the caption below.
  ///
  /// - Parameter addOutlines: completes a map of a size in pixels or dots.
  func draw(
    _ view: inout MapView, _ notes: MapNotes, addOutlines: (inout MapView, PixelSize) -> Void,
    as graphics: TerminalGraphics?, size: PixelSize?, on terminal: Terminal
  ) throws(Failure) {
    // The environment may have any value.
    let columns = min(width ?? terminal.columns ?? 80, 1000)
    // The shell's prompt takes a line too.
    let rows = min(max(5, height ?? terminal.rows.map { $0 - 1 } ?? 24), 500)
    let caption = OutputText(DisplayWidth.fitted(notes.caption, to: columns))
    if let graphics {
      let size = size ?? Self.pixels(columns: columns, rows: rows - 2).limited(to: graphics.largest)
      addOutlines(&view, size)
      // The caption is text below the picture.
      let notes = MapNotes(period: notes.period, unit: notes.unit)
      let raster = try Raster(picture(view, size: size, notes, terminal).drawing)
      try Output.line(
        (graphics.form == .kitty ? raster.kittyGraphics() : IndexedRaster(raster).sixels) + "\n" + caption)
    } else {
      let style = style(terminal)
      addOutlines(&view, PixelSize(width: columns * 2, height: (rows - 2) * 4))
      var lines = view.lines(columns: columns, rows: rows - 2, style: style)
      lines.append(MapLegend(style, hasPlates: !noPlates && !view.outlines.plates.isEmpty).line(columns: columns))
      try Output.line((lines + [caption]).joined(separator: "\n"))
    }
  }

  func picture(_ view: MapView, size: PixelSize, _ notes: MapNotes, _ terminal: Terminal) -> MapPicture {
    MapPicture(view, style: style(terminal), width: size.width, height: size.height, notes: notes)
  }

  /// The image size for a number of characters; uses defaults if the terminal does not report its size in pixels.
  private static func pixels(columns: Int, rows: Int) -> PixelSize {
    var size = winsize()
    let isKnown =
      ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_xpixel > 0 && size.ws_ypixel > 0
      && size.ws_col > 0 && size.ws_row > 0
    let cell = isKnown ? (Int(size.ws_xpixel / size.ws_col), Int(size.ws_ypixel / size.ws_row)) : (8, 16)
    return PixelSize(width: columns * cell.0, height: min(rows * cell.1, columns * cell.0 / 2 + 40))
  }
}
