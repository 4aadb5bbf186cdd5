import Foundation
import StrataQuakes
import StrataTestSupport
import Testing

/// The findings of `quakes doctor` for intact and damaged stores.
@Suite(.waitsForProcesses) struct DoctorTests {
  private struct Report: Decodable {
    struct Check: Decodable {
      var name: String
      var state: String
      var finding: String
      var advice: String?
    }
    var ok: Bool
    var checks: [Check]

    func state(of name: String) -> String? { checks.first { $0.name == name }?.state }
  }

  private func report(_ home: Home, _ arguments: String...) throws -> (report: Report, status: Int32?) {
    let program = try Program("quakes", ["doctor", "--json"] + arguments, home: home.url)
    let status = program.status()
    let text = program.lines.joined()
    return (try JSONDecoder().decode(Report.self, from: Data(text.utf8)), status)
  }

  @Test func `doctor finds no problem in an intact store`() throws {
    let home = try PersonalHome()
    #expect(try home.quakes("place", "add", "home", "1,2").status == 0)
    let (report, status) = try report(home.home)
    #expect(status == 0 && report.ok)
    for name in ["folder", "space", "store", "contents", "personal", "worker", "feeds", "terminal", "quakes-fetch"] {
      #expect(report.state(of: name) == "ok", "\(report.checks)")
    }
    for name in ["file system", "inotify instances", "inotify watches"] { #expect(report.state(of: name) != nil) }
    let findings = report.checks.map(\.finding)
    #expect(findings.contains("all can be read: 2 earthquakes with 2 states"), "\(findings)")
    #expect(findings.contains { $0.hasSuffix("has 1 place, 0 marks and 0 alerts") }, "\(findings)")
    let table = try home.quakes("doctor", variables: ["COLUMNS": "60"])
    #expect(table.status == 0 && table.lines.first?.hasPrefix("STATE  CHECK ") == true)
  }

  @Test func `doctor reads all histories with one statement`() throws {
    let home = try PersonalHome()
    let doctor = try home.quakes("doctor", variables: ["COREDATA_SQL_DEBUG": "1"])
    let statements = doctor.errorText.split(separator: "\n").filter { $0.contains("sql: SELECT") }
    #expect(statements.count { $0.contains("FROM ZREVISION") } == 1, "\(statements)")
  }

  @Test func `doctor finds a damaged store`() throws {
    let home = try PersonalHome()
    let store = home.location.storeURL
    // Overwrites all pages but the first two.
    let handle = try FileHandle(forUpdating: store)
    let pages = try handle.seekToEnd() / 4096
    for page in 2..<pages {
      try handle.seek(toOffset: page * 4096)
      try handle.write(contentsOf: Data(repeating: 0xA5, count: 4096))
    }
    try handle.close()
    let (damaged, status) = try report(home.home)
    #expect(status == 1 && !damaged.ok)
    #expect(damaged.checks.contains { ["store", "contents"].contains($0.name) && $0.state == "fail" })

    let empty = try Home()
    let (missing, missingStatus) = try report(empty)
    #expect(missingStatus == 1 && missing.state(of: "store") == "fail")
  }

  @Test func `doctor warns of a failing feed`() throws {
    let home = try PersonalHome()
    // A file that a person imports once is not a feed. A file that a worker fetches is one.
    let gone = "/nowhere/g\u{1B}[2J\nquakes: forged"
    #expect(try Program("quakes-fetch", ["--once", gone], home: home.url).status() != 0)
    #expect(try report(home.home).report.state(of: "feed") == nil)
    let worker = try Program("quakes-fetch", [gone], home: home.url)
    let end = Date(timeIntervalSinceNow: 120)
    while try report(home.home).report.state(of: "feed") == nil, Date() < end {}
    worker.signal(SIGTERM)
    #expect(worker.status() == 0)
    let (report, status) = try report(home.home)
    #expect(status == 0 && report.state(of: "feed") == "warn", "\(report.checks)")
    let feeds = try #require(report.checks.first { $0.name == "feeds" })
    #expect(feeds.state == "warn" && feeds.finding.contains(", 1 failing; 1 imported file, "), "\(feeds)")
    let table = try home.quakes("doctor")
    #expect(table.status == 0)
    for line in table.lines { #expect(!line.contains("\u{1B}") && !line.hasPrefix("quakes: forged"), "\(line)") }
  }
}
