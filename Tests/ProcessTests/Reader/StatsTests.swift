import Foundation
import StrataTestSupport
import Testing

/// `quakes stats` as users run it, on catalogs whose figures an independent program computed.
@Suite("quakes stats", .waitsForProcesses) struct StatsTests {
  private let home: Home

  init() throws { home = try Home(in: TemporaryFolder.make()) }

  /// Imports 329 earthquakes, the magnitudes of most of which are 2.0.
  ///
  /// - Parameter networks: the network and the type of magnitude of the first, second … earthquake, and again.
  private func fill(_ networks: [(network: String, type: String)]) throws {
    let counts = [12, 31, 60, 46, 38, 30, 24, 19, 15, 12, 9, 8, 6, 5, 4, 3, 2, 2, 1, 0, 1, 0, 0, 1]
    let magnitudes = counts.enumerated().flatMap { index, count in repeatElement(18 + index, count: count) }
    var lines = ["time,latitude,longitude,depth,mag,magType,nst,gap,dmin,rms,net,id,updated,place,type"]
    for (index, magnitude) in magnitudes.enumerated() {
      let (network, type) = networks[index % networks.count]
      let time = "2016-04-\(10 + index % 20)T\(10 + index % 14):00:00.000Z"
      lines.append(
        "\(time),1,2,3,\(magnitude / 10).\(magnitude % 10),\(type),,,,,\(network),\(network)\(index),\(time),Nowhere,earthquake"
      )
    }
    let file = try home.write("feed.csv", lines.joined(separator: "\n") + "\n")
    #expect(try Program("quakes-fetch", ["--once", file], home: home.url).status() == 0)
  }

  private func stats(_ arguments: String..., columns: Int? = nil) throws -> [String] {
    let variables = columns.map { ["COLUMNS": String($0)] } ?? [:]
    let program = try Program("quakes", ["stats"] + arguments, home: home.url, variables: variables)
    #expect(program.status() == 0, "\(program.errorText)")
    return program.lines
  }

  private func json(_ arguments: [String] = []) throws -> [String: Any] {
    let program = try Program("quakes", ["stats", "--json"] + arguments, home: home.url)
    #expect(program.status() == 0, "\(program.errorText)")
    let object = try JSONSerialization.jsonObject(with: Data(program.lines.joined().utf8))
    return try #require(object as? [String: Any], "\(program.errorText)")
  }

  @Test func `text states the error, the sample and the completeness by each method`() throws {
    try fill([("nc", "md")])
    let lines = try stats()
    for line in [
      "b-value   1.09 ± 0.07 (standard error, 1 sigma), of 180 earthquakes from magnitude 2.2 on",
      "maximum curvature + 0.2  Mc 2.2  b 1.09 ± 0.07 of 180 earthquakes",
      "goodness of fit          Mc 2.0  b 1.06 ± 0.06 of 286 earthquakes, fit 97 %",
      "b-value stability        Mc 2.0  b 1.06 ± 0.06 of 286 earthquakes",
      "range                    Mc 2.0–2.2, b 1.06–1.09",
    ] { #expect(lines.contains(line), "\(line): \(lines)") }
    #expect(
      lines.contains { $0.hasPrefix("          95 % intervals (bootstrap): b 0.9") && $0.hasSuffix(", Mc 2.2–2.3") })
    #expect(!lines.contains { $0.hasPrefix("warning") })
    let given = try stats("--completeness", "2")
    #expect(given.contains { $0.hasPrefix("b-value   1.06 ± 0.06 (") }, "\(given)")
    #expect(given.contains { $0.hasPrefix("          95 % intervals (bootstrap): b ") && $0.hasSuffix(" for this Mc") })
  }

  @Test func `a warning names mixed networks and types of magnitude`() throws {
    try fill([("nc", "md"), ("nc", "md"), ("ci", "ml")])
    let lines = try stats()
    // Every third of the 180 largest.
    let networks = "warning   the b-value mixes 2 networks (nc 120, ci 60). Each has its own completeness and its own "
    #expect(lines.contains { $0.hasPrefix(networks) }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("warning   the b-value mixes 2 types of magnitude (md 120, ml 60)") })
    let one = try stats("--source", "nc")
    #expect(!one.contains { $0.hasPrefix("warning") } && one.contains { $0.hasPrefix("b-value   1.") }, "\(one)")
    let object = try json()
    #expect(object["networks"] as? [String: Int] == ["nc": 120, "ci": 60])
    #expect(object["magnitude_types"] as? [String: Int] == ["md": 120, "ml": 60])
    let warnings = object["warnings"] as? [[String: String]] ?? []
    #expect(warnings.map { $0["code"] } == ["mixed_networks", "mixed_magnitude_types"])
  }

  @Test func `JSON contains the estimates, intervals and ranges`() throws {
    try fill([("nc", "md")])
    let object = try json()
    let b = try #require(object["b_value"] as? Double)
    #expect(abs(b - 1.091_444_694_250_68) < 1e-9)
    #expect(abs((object["b_value_error"] as? Double ?? 0) - 0.073_904_604_902) < 1e-9)
    let interval = try #require(object["b_value_interval"] as? [Double])
    #expect(interval.count == 2 && interval[0] < b && b < interval[1])
    #expect(object["completeness_magnitude"] as? Double == 2.2 && object["complete_count"] as? Int == 180)
    #expect(object["completeness_method"] as? String == "maximum_curvature")
    #expect(object["completeness_range"] as? [Double] == [2, 2.2] && object["required_count"] as? Int == 50)
    let estimates = object["completeness_estimates"] as? [[String: Any]] ?? []
    #expect(
      estimates.map { $0["method"] as? String } == ["maximum_curvature", "goodness_of_fit", "b_value_stability"])
    #expect(estimates.map { $0["count"] as? Int } == [180, 286, 286])
    #expect((object["warnings"] as? [Any])?.isEmpty == true)
    let few = try json(["--min-magnitude", "3.5"])
    #expect(few["b_value"] is NSNull && few["b_value_interval"] is NSNull && few["completeness_magnitude"] is NSNull)
    #expect((few["completeness_estimates"] as? [Any])?.isEmpty == true)
  }

  @Test(arguments: [40, 80, 120]) func `lines fit the terminal, and sentences are wrapped`(columns: Int) throws {
    try fill([("nc", "md"), ("ci", "ml"), ("ak", "mb_lg"), ("us", "mww")])
    let lines = try stats(columns: columns)
    #expect(lines.allSatisfy { $0.count <= columns && !$0.contains("…") }, "\(lines)")
    let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(words.contains("4 networks (") && words.contains("--source selects one."), "\(lines)")
    // A name and its number stay on one line.
    #expect(["nc 4", "ci 4", "ak 4", "us 4"].allSatisfy { part in lines.contains { $0.contains(part) } }, "\(lines)")
    #expect(words.contains("range Mc 2.0–2.2, b 1.06–1.09"), "\(lines)")
  }

  @Test(arguments: ["1e300", "nan", "-11"]) func `a completeness that no catalog has is refused`(_ text: String) throws
  {
    let program = try Program("quakes", ["stats", "--completeness", text], home: home.url)
    #expect(program.status() == 2 && program.errorText.contains("--completeness"), "\(program.errorText)")
  }

  @Test func `a locale without UTF-8 gets ASCII`() throws {
    try fill([("nc", "md")])
    let program = try Program("quakes", ["stats"], home: home.url, variables: ["LC_ALL": "C"])
    #expect(program.status() == 0 && program.lines.joined().utf8.allSatisfy { $0 < 0x80 }, "\(program.lines)")
    #expect(program.lines.contains { $0.hasPrefix("b-value   1.09 +/- 0.07 (") })
    #expect(program.lines.contains { $0.hasSuffix("####") }, "\(program.lines)")
  }
}
