import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesMap
import StrataQuakesPicture

/// Whether and how a map is a picture.
struct PictureOptions: ParsableArguments {
  @Option(
    defaultAsFlag: "-",
    help: ArgumentHelp("Write an SVG image to this file; - or no file is standard output.", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var svg: String?

  @Option(
    defaultAsFlag: "-",
    help: ArgumentHelp("Write a PNG image to this file; - or no file is standard output.", valueName: "file"),
    completion: .file(extensions: ["png"]))
  var png: String?

  @Flag(help: "Show an image if the terminal supports kitty's graphics protocol or sixels.")
  var picture = false

  @Flag(help: "Show an image with kitty's graphics protocol.")
  var kitty = false

  @Flag(help: "Show an image as sixels.")
  var sixel = false

  @Option(
    help: ArgumentHelp(
      "The image's size in pixels (default: 1600x800, or what fits the terminal).", valueName: "size"),
    transform: size)
  var size: PixelSize?

  mutating func validate() throws {
    for (name, path) in [("svg", svg), ("png", png)] {
      // The word after the option may have another meaning, such as an earthquake's ID.
      guard let path, path != "-", !path.contains("/"), !path.lowercased().hasSuffix(".\(name)") else { continue }
      throw ValidationError(
        "--\(name) \(path) would write a file of that name: name it \(path).\(name), or put the ID before the option.")
    }
    if svg == "-", png == "-" { throw ValidationError("only one of --svg and --png can go to standard output.") }
    if [picture, kitty, sixel].filter({ $0 }).count > 1 {
      throw ValidationError("--picture, --kitty and --sixel exclude each other.")
    }
    if picture || kitty || sixel, svg != nil || png != nil {
      throw ValidationError("--svg and --png write files, so they exclude --picture, --kitty and --sixel.")
    }
    if png == "-", StandardStream.output.isTerminal {
      throw ValidationError("a terminal cannot show a PNG file: name a file, or use --picture.")
    }
  }

  private static func size(_ text: String) throws -> PixelSize {
    let numbers = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    let sides = MapPicture.sides
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1], sides ~= width, sides ~= height else {
      throw ValidationError(
        "it must be like 1600x800, each from \(sides.lowerBound) to \(sides.upperBound), not \"\(text)\".")
    }
    return PixelSize(width: width, height: height)
  }

  /// Whether files are written instead of a map on standard output.
  var hasFiles: Bool { svg != nil || png != nil }

  func writeFiles(_ drawing: Drawing) throws(Failure) {
    if let svg {
      let text = drawing.svg + "\n"
      if svg == "-" { try Output.write(text) } else { try Self.write(Data(text.text.utf8), to: svg) }
    }
    if let png {
      let data = try Raster(drawing).png()
      if png == "-" { try Output.write(data) } else { try Self.write(data, to: png) }
    }
  }

  private static func write(_ data: Data, to path: String) throws(Failure) {
    do {
      try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      let reason = (error as NSError).localizedDescription
      throw Failure(.outputFailed, "cannot write the image to \(path): \(reason); choose another file", cause: error)
    }
  }

  /// How the terminal shows a picture.
  ///
  /// - Returns: nil if no image was requested, or, with a warning, if the terminal does not report support.
  func graphics() -> TerminalGraphics? {
    if kitty { return TerminalGraphics(form: .kitty) }
    if sixel { return .sixels() }
    guard picture else { return nil }
    let graphics = TerminalGraphics.ofThisTerminal()
    if graphics == nil {
      StandardStream.error.line(
        "quakes: this terminal does not report support for images; --kitty and --sixel show them anyway")
    }
    return graphics
  }
}
