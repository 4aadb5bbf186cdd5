import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesMap

/// Whether and how a map is a picture.
struct PictureOptions: ParsableArguments {
  @Option(
    defaultAsFlag: "-",
    help: ArgumentHelp("Write an SVG picture; - is standard output, and so is no file.", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var svg: String?

  @Option(
    defaultAsFlag: "-",
    help: ArgumentHelp("Write a PNG picture; - is standard output, and so is no file.", valueName: "file"),
    completion: .file(extensions: ["png"]))
  var png: String?

  @Flag(help: "Show a picture if the terminal says that it can: in kitty's protocol, or as sixels.")
  var picture = false

  @Flag(help: "Show a picture in kitty's graphics protocol.")
  var kitty = false

  @Flag(help: "Show a picture as sixels.")
  var sixel = false

  @Option(
    help: ArgumentHelp(
      "The picture's size in pixels (default: 1600x800, or what fits the terminal).", valueName: "size"),
    transform: size)
  var size: PixelSize?

  mutating func validate() throws {
    for (name, path) in [("svg", svg), ("png", png)] {
      // What follows the option may have been meant for something else, such as the id of an earthquake.
      guard let path, path != "-", !path.contains("/"), !path.lowercased().hasSuffix(".\(name)") else { continue }
      throw ValidationError(
        "--\(name) \(path) would write a file of that name: call it \(path).\(name), or put an id before the option.")
    }
    if svg == "-", png == "-" { throw ValidationError("only one of --svg and --png can go to standard output.") }
    if [picture, kitty, sixel].filter({ $0 }).count > 1 {
      throw ValidationError("--picture, --kitty and --sixel exclude each other.")
    }
    if picture || kitty || sixel, svg != nil || png != nil {
      throw ValidationError("--svg and --png are files, and --picture, --kitty and --sixel are for the terminal.")
    }
    if png == "-", StandardStream.output.isTerminal {
      throw ValidationError("a terminal does not show PNG as it is: give a file, or use --picture.")
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

  /// Whether files are written in place of a map on standard output.
  var hasFiles: Bool { svg != nil || png != nil }

  func writeFiles(_ picture: MapPicture) throws(Failure) {
    if let svg {
      let text = picture.svg + "\n"
      if svg == "-" { try Output.write(text) } else { try Self.write(Data(text.text.utf8), to: svg) }
    }
    if let png {
      let data = picture.raster.png
      if png == "-" { try Output.write(data) } else { try Self.write(data, to: png) }
    }
  }

  private static func write(_ data: Data, to path: String) throws(Failure) {
    do {
      try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      let reason = (error as NSError).localizedDescription
      throw Failure(.outputFailed, "cannot write the picture to \(path): \(reason); give another file", cause: error)
    }
  }

  /// How the terminal shows a picture.
  ///
  /// - Returns: nil if none was asked for, or the terminal does not say that it can, which is told.
  func graphics() -> TerminalGraphics? {
    if kitty { return TerminalGraphics(form: .kitty) }
    if sixel { return .sixels() }
    guard picture else { return nil }
    let graphics = TerminalGraphics.ofThisTerminal()
    if graphics == nil {
      StandardStream.error.line(
        "quakes: this terminal does not say that it shows pictures; --kitty or --sixel does it anyway")
    }
    return graphics
  }
}
