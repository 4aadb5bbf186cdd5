import Foundation
import StrataTestSupport
import Testing

/// The completions that the programs offer to shells.
@Suite(.waitsForProcesses) struct CompletionTests {
  private func feed(_ quakes: [(id: String, place: String)]) -> String {
    let now = Int(Date().timeIntervalSince1970)
    let features = quakes.map { id, place in
      """
      {"type":"Feature","properties":{"mag":5.5,"place":"\(place)","time":\((now - 720) * 1_000),"updated":\(now * 1_000),
      "type":"earthquake"},"geometry":{"type":"Point","coordinates":[-174.5,-21.2,35.0]},"id":"\(id)"}
      """
    }
    return """
      {"type":"FeatureCollection","metadata":{"generated":\(now * 1_000)},"features":[\(features.joined(separator: ","))]}
      """
  }

  /// Returns the candidates that a shell's completion script receives for the first argument of `show`.
  private func candidates(_ prefix: String, shell: String, home: Home) throws -> [String] {
    let completion = try Program(
      "quakes", ["---completion", "show", "--", "positional@0", "2", "\(prefix.count)", "quakes", "show", prefix],
      home: home.url, variables: ["SAP_SHELL": shell, "SAP_SHELL_VERSION": "5"])
    #expect(completion.status() == 0, "\(completion.errorText)")
    #expect(completion.errorText.isEmpty)
    // The last line is a marker of the argument parser for zsh.
    return completion.lines.filter { !$0.allSatisfy(\.isWhitespace) }
  }

  @Test func `IDs are completed from the store`() throws {
    let home = try Home()
    #expect(try candidates("", shell: "bash", home: home) == [], "the store does not exist yet")
    let file = try home.write("feed.geojson", feed([("us7000", "Tonga: south"), ("ci1", "Nevada")]))
    #expect(try Program("quakes-fetch", ["--once", file], home: home.url).status() == 0)
    #expect(try candidates("us", shell: "bash", home: home) == ["us7000"])
    #expect(try candidates("", shell: "bash", home: home).sorted() == ["ci1", "us7000"])
    #expect(try candidates("us", shell: "fish", home: home) == ["us7000\tM 5.5 Tonga: south"])
    let forZsh = try candidates("us", shell: "zsh", home: home)
    #expect(forZsh == ["us7000:M 5.5 Tonga: south"])
  }

  @Test func `columns are completed behind a comma`() throws {
    let home = try Home()
    func candidates(_ typed: String, shell: String) throws -> [String] {
      let completion = try Program(
        "quakes",
        ["---completion", "list", "--", "--columns", "3", "\(typed.count)", "quakes", "list", "--columns", typed],
        home: home.url, variables: ["SAP_SHELL": shell, "SAP_SHELL_VERSION": "5"])
      #expect(completion.status() == 0 && completion.errorText.isEmpty, "\(completion.errorText)")
      return completion.lines.filter { !$0.allSatisfy(\.isWhitespace) }
    }
    #expect(try candidates("magni", shell: "bash").first == "magnitude")
    #expect(try candidates("time,place,id", shell: "bash") == ["time,place,id"])
    #expect(try candidates("magnitude,magnitude", shell: "bash").first == "magnitude,magnitude_type")
    #expect(try candidates("id,ale", shell: "zsh") == ["id,alert:column"])
  }

  @Test(arguments: ["us1;touch x", "us1$(touch x)", "us1`x`", "us1'x", "us1|x", "us1\\u001b[2J", "-us1"])
  func `IDs with shell syntax are not offered`(_ id: String) throws {
    let home = try Home()
    let file = try home.write("feed.geojson", feed([(id, "Tonga"), ("us2", "Tonga\\u001b[2J\\n`x`")]))
    #expect(try Program("quakes-fetch", ["--once", file], home: home.url).status() == 0)
    #expect(try candidates("", shell: "bash", home: home) == ["us2"])
    #expect(try candidates("", shell: "fish", home: home) == ["us2\tM 5.5 Tonga `x`"])
  }

  /// Packages generate both from the help, because `quakes-summary` does not use the argument parser.
  @Test(arguments: ["man", "bash", "zsh", "fish"])
  func `manual page and completions contain all options of quakes-summary`(_ form: String) throws {
    let home = try Home()
    let help = try Program("quakes-summary", ["--help"], home: home.url)
    #expect(help.status() == 0)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Workers/packaging/help.awk").standardizedFileURL
    let awk = try Program(
      "awk", ["-v", "form=\(form)", "-v", "program=quakes-summary", "-v", "date=2026-01-01", "-f", script.path],
      home: home.url, input: Data(help.lines.joined(separator: "\n").utf8),
      file: URL(fileURLWithPath: "/usr/bin/awk"))
    #expect(awk.status() == 0, "\(awk.errorText)")
    let text = awk.lines.joined(separator: "\n").replacing("\\-", with: "-")
    let options = help.lines.flatMap { line in
      line.hasPrefix("  -") ? line.split(whereSeparator: " ,".contains).filter { $0.hasPrefix("--") } : []
    }
    #expect(options.count > 8)
    for option in options {
      #expect(text.contains(form == "fish" ? "-l \(option.dropFirst(2)) " : option), "\(option) is not in \(form)")
    }
  }
}
