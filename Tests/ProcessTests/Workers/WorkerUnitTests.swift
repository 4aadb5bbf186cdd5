import Foundation
import StrataTestSupport
import Testing

/// The worker as a service of systemd. The tests do not run it, but verify its units if `systemd-analyze` is installed.
@Suite(.waitsForProcesses, .serialized) struct WorkerUnitTests {
  private let home: Home

  init() throws { home = try Home() }

  private func workers(
    _ arguments: String..., variables: [String: String] = [:]
  ) throws -> (status: Int32?, lines: [String], errorText: String) {
    let program = try Program("quakes", ["workers"] + arguments, home: home.url, variables: variables)
    return (program.status(), program.lines, program.errorText)
  }

  private func unit(_ name: String) -> String? {
    try? String(contentsOf: home.url.appendingPathComponent(".config/systemd/user/\(name)"), encoding: .utf8)
  }

  @Test func `units are printed for packages`() throws {
    // With the default group folder, the unit does not depend on this user.
    let printed = try workers(
      "install", "--print", "--program", "/usr/bin/quakes-fetch", variables: ["STRATA_GROUP_CONTAINERS": ""])
    #expect(printed.status == 0, "\(printed.errorText)")
    #expect(printed.lines.contains("ExecStart=/usr/bin/quakes-fetch --daemon"), "\(printed.lines)")
    #expect(printed.lines.contains("Type=notify") && printed.lines.contains("RestartSec=30"))
    #expect(unit("quakes-fetch.service") == nil)
    let timer = try workers("install", "--print", "--timer", "--", "all_hour")
    #expect(timer.status == 0 && unit("quakes-fetch.timer") == nil, "\(timer.errorText)")
    #expect(timer.lines.contains { $0.hasPrefix("ExecStart=") && $0.hasSuffix(" all_hour") && $0.contains("--once") })
    #expect(timer.lines.contains("# quakes-fetch.timer") && timer.lines.contains("OnCalendar=*:0/5"))
  }

  @Test func `workers are installed for a store and removed again`() throws {
    let store = home.url.appendingPathComponent("a $b 100%\"").path
    let install = try workers("install", "--store", store, "--", "--interval", "300")
    #expect(
      install.status == 0 && install.lines.last?.hasPrefix("systemd has no user") == true, "\(install.errorText)")
    let service = try #require(unit("quakes-fetch.service"))
    #expect(service.contains("--store \"\(home.url.path)/a $$b 100%%\\\"\" --interval 300\n"), "\(service)")
    #expect(service.contains("X-Quakes-Store=\(store)\n"))
    let timer = try workers("install", "--timer")
    #expect(timer.status == 0 && unit("quakes-fetch.timer")?.contains("OnCalendar=") == true, "\(timer.errorText)")
    let timed = try #require(unit("quakes-fetch.service"))
    #expect(timed.contains(" --once ") && timed.contains(" all_day\n") && !timed.contains(store), "\(timed)")
    #expect(try workers("install").status == 0 && unit("quakes-fetch.timer") == nil)
    #expect(try #require(unit("quakes-fetch.service")).contains(" --daemon "))
    #expect(try workers("uninstall").status == 0 && unit("quakes-fetch.service") == nil)
    #expect(try workers("uninstall").lines.first?.hasPrefix("nothing is installed") == true)
  }

  @Test func `the unit of a package is used unchanged`() throws {
    let usual = ["STRATA_GROUP_CONTAINERS": ""]
    let text = try workers("install", "--print", variables: usual).lines.joined(separator: "\n") + "\n"
    let folder = home.url.appendingPathComponent(".local/share/systemd/user")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let shared = folder.appendingPathComponent("quakes-fetch.service")
    try Data(text.utf8).write(to: shared)
    // The user installs a different unit, and then the default one again.
    #expect(try workers("install", "--", "all_hour", variables: usual).status == 0)
    #expect(try #require(unit("quakes-fetch.service")).contains("--daemon all_hour\n"))
    let install = try workers("install", variables: usual)
    #expect(install.status == 0 && install.lines.first == "\(shared.path) already exists", "\(install)")
    #expect(unit("quakes-fetch.service") == nil)
    let uninstall = try workers("uninstall", variables: usual)
    #expect(uninstall.lines.first?.hasPrefix("kept \(shared.path)") == true, "\(uninstall)")
    #expect(try String(contentsOf: shared, encoding: .utf8) == text)
    // The unit of the package is for a different store.
    #expect(try workers("install", "--store", home.url.path, variables: usual).status == 0)
    #expect(try #require(unit("quakes-fetch.service")).contains("X-Quakes-Store=\(home.url.path)\n"))
  }

  @Test func `workers start checks the given settings file`() throws {
    let settings = try home.write("settings.toml", "[fetch]\ninterval = \"never\"\n")
    let start = try workers("start", "--config", settings)
    #expect(start.status == 78 && start.errorText.contains("fetch.interval"), "\(start)")
  }

  @Test func `a path that a unit cannot contain is refused`() throws {
    let install = try workers("install", "--store", "/tmp/a\nExecStartPre=/bin/false")
    #expect(install.status == 2 && unit("quakes-fetch.service") == nil, "\(install.errorText)")
  }

  @Test(.enabled(if: access("/usr/bin/systemd-analyze", X_OK) == 0)) func `systemd accepts the units`() throws {
    let folder = home.url.appendingPathComponent(".config/systemd/user").path
    let runtime = home.url.appendingPathComponent("runtime")
    try FileManager.default.createDirectory(at: runtime, withIntermediateDirectories: true)
    for (options, name) in [([], "quakes-fetch.service"), (["--timer"], "quakes-fetch.timer")] {
      let install = try Program(
        "quakes", ["workers", "install", "--store", "\(home.url.path)/a $b 100%"] + options, home: home.url)
      #expect(install.status() == 0, "\(install.errorText)")
      let verification = try Program(
        "systemd-analyze", ["verify", "--user", "--man=no", "\(folder)/quakes-fetch.service", "\(folder)/\(name)"],
        home: home.url, file: URL(fileURLWithPath: "/usr/bin/systemd-analyze"),
        variables: ["XDG_RUNTIME_DIR": runtime.path])
      #expect(verification.status() == 0, "\(verification.errorText)")
      #expect(!verification.errorText.contains("quakes"), "\(verification.errorText)")
    }
  }
}
