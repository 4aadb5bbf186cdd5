import ArgumentParser
import CoreData
import Foundation
import StrataQuakes

/// `quakes workers`: manages the fetch process.
struct Workers: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Start, stop or check the fetch worker.",
    subcommands: [Start.self, Stop.self, Status.self, WorkersInstall.self, WorkersUninstall.self],
    defaultSubcommand: Status.self)

  fileprivate static let logHint = "\"journalctl --user -u quakes-fetch\" shows its log"

  struct Start: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Start quakes-fetch in the background, as a systemd service if it is installed.",
      discussion: "Pass feeds and options for quakes-fetch after --, as in: quakes workers start -- all_day")

    @OptionGroup var locationOptions: LocationOptions

    @Argument(parsing: .postTerminator, help: "The arguments for quakes-fetch.")
    var arguments: [String] = []

    mutating func run() throws {
      let location = try locationOptions.location()
      let file = WorkerFile(for: location)
      if let process = try file.runningProcess() {
        try Output.line("quakes-fetch is already running (process \(process))")
        return
      }
      let settings = locationOptions.config.map { ["--config", $0] } ?? []
      if (settings + arguments).isEmpty, let units = InstalledUnits.usable(for: location) {
        try ServiceManager.run("start", units.name)
        let advice =
          ServiceManager.isEnabled(units.name)
          ? "" : "; \"quakes workers install\" starts it whenever you log in"
        try Output.line("started \(units.name); \(Workers.logHint)\(advice)")
        return
      }
      let launcher = WorkerLauncher(file: file, location: location)
      let process = try launcher.start(settings + arguments)
      try Output.line("quakes-fetch is running (process \(process)); it writes to \(file.logURL.path)")
    }
  }

  struct Stop: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Stop quakes-fetch after its current transaction.")

    @OptionGroup var locationOptions: LocationOptions

    mutating func run() throws {
      let location = try locationOptions.location()
      let file = WorkerFile(for: location)
      if let units = InstalledUnits.usable(for: location), ServiceManager.isActive(units.name) {
        try ServiceManager.run("stop", units.name)
        let login = ServiceManager.isEnabled(units.name) ? "when you log in, or " : ""
        try Output.line("stopped \(units.name); it starts again \(login)with \"quakes workers start\"")
        return
      }
      guard let process = try file.runningProcess() else {
        try file.forgetDeadProcess()
        try Output.line("quakes-fetch is not running")
        return
      }
      kill(process, SIGTERM)
      // Writing a 64 MB body takes a second or two.
      for _ in 0..<1500 {
        if try file.runningProcess() != process {
          try Output.line("quakes-fetch has stopped (process \(process))")
          return
        }
        usleep(20_000)
      }
      throw Failure(.busy, "process \(process) is still running 30 s after SIGTERM; see \(file.logURL.path)")
    }
  }

  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the state of quakes-fetch and its feeds. Exit status: 0 if it is running, 3 if not.")

    @OptionGroup var locationOptions: LocationOptions

    mutating func run() throws {
      let location = try locationOptions.location()
      let file = WorkerFile(for: location)
      let process = try file.runningProcess()
      let units = InstalledUnits.usable(for: location)
      let isActive = units.map { ServiceManager.isActive($0.name) } ?? false
      if let units {
        try Output.line("\(units.name) is \(isActive ? "active" : "installed, not active"); \(Workers.logHint)")
      }
      if let process {
        let log = isActive ? "" : "; it writes to \(file.logURL.path)"
        try Output.line("quakes-fetch is running (process \(process))\(log)")
      } else if !isActive {
        let note = try file.deadProcess().map(FreshnessNote.death)
        try Output.line(OutputText(note ?? "quakes-fetch is not running; start it with \"quakes workers start\""))
        if access(file.logURL.path, F_OK) == 0 {
          try Output.line("its last log is \(file.logURL.path)")
        }
      }
      if location.hasStore {
        try tellFeeds(location)
      } else if location.isMistyped {
        StandardStream.error.line("quakes: \(Failure.noStore(location).message)")
      }
      if process == nil, !isActive { Foundation.exit(ExitStatus.notFound.rawValue) }
    }

    private func tellFeeds(_ location: StoreLocation) throws {
      let context = try QuakesContainer.open(location, for: .reading).newBackgroundContext()
      let lines = try context.performAndWait {
        do {
          let (feeds, now) = (try context.fetch(Feed.all()), Date())
          let imports = Feed.importsText(feeds, at: now)
          return feeds.filter { !$0.isImport }.map { $0.stateText(at: now) } + [imports].compactMap { $0 }
        } catch {
          throw Failure.reading(location, error: error)
        }
      }
      for line in lines { try Output.line("  \(line)") }
    }
  }
}
