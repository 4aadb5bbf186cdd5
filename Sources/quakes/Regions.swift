import ArgumentParser
import Foundation
import StrataQuakes

/// `quakes regions`: lists the regions that `--region` means.
struct Regions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the regions of the Earth with their numbers of earthquakes.",
    discussion: """
      These are the 757 Flinn-Engdahl regions (1995 revision), which seismologists use to locate earthquakes. --region \
      takes a number, or a part of a name, which selects all regions that contain it.
      """)

  @Argument(help: "Only regions with this in their name.")
  var text: String?

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var locationOptions: LocationOptions

  mutating func run() throws {
    let settings = try locationOptions.settings()
    let table = try KnownRegions.all()
    var found = table.entries
    if let text { found = try table.regions(named: text) }
    let counts = try counts(table)
    let lines = json ? [self.json(found, counts)] : self.lines(found, counts)
    output.startPager(settings)
    try Output.line(lines.joined(separator: "\n"))
  }

  /// The number of listed earthquakes by region number; nil if the store does not exist yet.
  private func counts(_ table: RegionTable) throws -> [Int: Int]? {
    guard try locationOptions.location().hasStore else { return nil }
    return try OpenStore(locationOptions, needsCities: false).read { context in
      var counts: [Int: Int] = [:]
      try Quake.forEach(QuakeQuery(), in: context) { quake in
        if let region = table.region(latitude: quake.latitude, longitude: quake.longitude) {
          counts[region.number, default: 0] += 1
        }
        return true
      }
      return counts
    }
  }

  private func lines(_ regions: [RegionTable.Entry], _ counts: [Int: Int]?) -> [OutputText] {
    let width = regions.map { DisplayWidth.columns($0.name) }.max() ?? 0
    return regions.map { region in
      let number = String(repeating: " ", count: max(0, 3 - "\(region.number)".count)) + "\(region.number)"
      guard let count = counts?[region.number] else { return OutputText("\(number)  \(region.name)") }
      return OutputText("\(number)  \(DisplayWidth.padded(region.name, to: width))  \(count)")
    }
  }

  private func json(_ regions: [RegionTable.Entry], _ counts: [Int: Int]?) -> OutputText {
    var text = JSONText()
    text.object { json in
      json.integer("format_version", 1)
      json.array("regions") { array in
        for region in regions {
          array.object { json in
            json.integer("number", region.number)
            json.string("name", region.name)
            json.integer("earthquakes", counts.map { $0[region.number] ?? 0 })
          }
        }
      }
    }
    return OutputText(text.text)
  }
}
