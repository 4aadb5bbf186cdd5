import Foundation
import Testing

/// The Reference store, built and used as people do.
struct ReferenceTests {
  private static let cities = """
    785842\tSkopje\tNorth Macedonia\tKarpoš\t41.99646\t21.43141\t474889
    3882428\tLos Ángeles\tChile\tBiobío\t-37.46973\t-72.35366\t125430

    """

  private func feed(latitude: Double) -> String {
    """
    {"type":"FeatureCollection","metadata":{"generated":1,"count":1},"features":[{"type":"Feature","properties":
    {"mag":4.1,"place":"in the hills","time":1700000000000,"updated":1700000000000,"status":"reviewed",
    "type":"earthquake","net":"us","code":"1","title":"M 4.1 - in the hills"},
    "geometry":{"type":"Point","coordinates":[21.4,\(latitude),10.0]},"id":"us1"}]}
    """
  }

  private func run(
    _ home: Home, _ name: String, _ arguments: [String], reference: String, input: String? = nil
  ) throws -> (status: Int32?, text: String, errors: String) {
    let program = try Program(
      name, arguments, home: home.url, input: input.map { Data($0.utf8) }, variables: ["QUAKES_REFERENCE": reference])
    let status = program.status()
    return (status, program.lines.joined(separator: "\n"), program.errorText)
  }

  @Test func nearestCitiesAreShownAsSoonAsThereIsAStore() throws {
    let home = try Home()
    let reference = home.url.appendingPathComponent("Reference.sqlite").path
    let body = try home.write("feed.geojson", feed(latitude: 42.1))

    // Without it, everything else is there.
    let first = try run(home, "quakes-fetch", ["--once", body], reference: reference)
    #expect(first.status == 0 && first.errors.contains("Reference store"), "\(first)")
    let bare = try run(home, "quakes", ["show", "us1"], reference: reference)
    #expect(bare.status == 0 && bare.text.contains("in the hills") && !bare.text.contains("near"), "\(bare)")

    let built = try run(home, "quakes-reference", [reference], reference: "", input: Self.cities)
    #expect(built.status == 0 && built.text.contains("2 cities"), "\(built)")
    let second = try run(home, "quakes-fetch", ["--once", body], reference: reference)
    #expect(second.status == 0 && second.errors.isEmpty, "\(second)")
    let show = try run(home, "quakes", ["show", "us1"], reference: reference)
    #expect(show.text.contains("near          12 km NNW of Skopje, North Macedonia (pop. 474,889)"), "\(show)")
    let json = try run(home, "quakes", ["list", "--json"], reference: reference)
    let city = #""nearest_city":{"name":"Skopje","country":"North Macedonia","distance_km":11.8,"bearing":347}"#
    #expect(json.text.contains(city), "\(json)")
    let list = try run(home, "quakes", ["list", "--place", "nearest"], reference: reference)
    #expect(list.text.contains("12 km NNW of Skopje, North Macedonia"), "\(list)")
    #expect(try run(home, "quakes", ["list"], reference: reference).text.contains("in the hills"))
    let version = try run(home, "quakes", ["--version"], reference: reference)
    #expect(version.text.contains("GeoNames") && version.text.contains(reference), "\(version)")
  }

  @Test func inputThatIsNoListOfCitiesIsRefused() throws {
    let home = try Home()
    let path = home.url.appendingPathComponent("Reference.sqlite").path
    let inputs = ["", "1\tA\tB\t\t91\t0\t1\n", "1\tA\tB\t\tnan\t0\t1\n", "99999999999\tA\tB\t\t0\t0\t1\n", "1\t2\n"]
    for input in inputs {
      let result = try run(home, "quakes-reference", [path], reference: "", input: input)
      #expect(result.status == 6 && !result.errors.isEmpty, "\(input): \(result)")
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
