import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesConfig

/// `quakes workers install`: makes the worker a service of systemd, for the user.
struct WorkersInstall: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Install quakes-fetch as a systemd user service.",
    discussion: """
      Pass feeds and options for quakes-fetch after --, as in: quakes workers install -- all_day
      """)

  @OptionGroup var locationOptions: LocationOptions

  @Flag(help: "Install a timer that fetches every five minutes, instead of a worker that keeps running.")
  var timer = false

  @Flag(name: .customLong("print"), help: "Print the units without installing them.")
  var isPrinting = false

  @Option(help: ArgumentHelp("The path of quakes-fetch (default: in the folder of quakes).", valueName: "path"))
  var program: String?

  @Argument(parsing: .postTerminator, help: "The arguments for quakes-fetch.")
  var arguments: [String] = []

  mutating func run() throws {
    let location = try locationOptions.location()
    let units = try units(location)
    if isPrinting {
      // A single unit can be redirected into a file.
      let texts = units.units.map { units.isTimed ? "# \($0.name)\n\($0.text)" : $0.text }
      try Output.write(OutputText(lines: texts.joined(separator: "\n")))
      return
    }
    if let process = try WorkerFile(for: location).runningProcess(), !Self.isService(location) {
      throw Failure(
        .busy, "quakes-fetch is already running (process \(process)); stop it with \"quakes workers stop\" first")
    }
    let folder = ServiceManager.unitFolder()
    let isRunning = ServiceManager.isRunning
    // The installed unit may be of the other kind, and a running unit is not replaced automatically.
    if isRunning { try ServiceManager.disable(ServiceManager.known) }
    if let file = Self.equal(of: units) {
      // A package's is replaced with its program; a copy would not be.
      for unit in WorkerUnits.names { WorkersUninstall.remove(unit, from: folder) }
      try Output.line("\(file.path) already exists")
    } else {
      try Self.write(units, to: folder)
    }
    guard isRunning else {
      try Output.line(
        """
        systemd has no user instance here. Where it has one, run: systemctl --user daemon-reload && systemctl --user enable \
        --now \(units.mainName)
        """)
      return
    }
    try ServiceManager.run("daemon-reload")
    try ServiceManager.run("enable", "--now", units.mainName)
    try Output.line(
      """
      \(units.mainName) runs whenever you are logged in; "loginctl enable-linger" keeps it running after that, \
      "journalctl --user -u quakes-fetch" shows its log
      """)
  }

  /// Whether the running worker is a service of systemd.
  private static func isService(_ location: StoreLocation) -> Bool {
    InstalledUnits.usable(for: location).map { ServiceManager.isActive($0.name) } ?? false
  }

  /// The file of a service that came with a package, if it does the same.
  private static func equal(of units: WorkerUnits) -> URL? {
    guard !units.isTimed, let file = ServiceManager.sharedFile(of: units.mainName),
      let text = try? String(contentsOf: file, encoding: .utf8), text == units.units.first?.text
    else { return nil }
    return file
  }

  private func units(_ location: StoreLocation) throws(Failure) -> WorkerUnits {
    let file = SettingsFile(option: locationOptions.config)
    let program = if let program { program } else { try SiblingProgram.path("quakes-fetch") }
    let units = WorkerUnits(
      isTimed: timer, program: program,
      store: location.isUsual ? nil : location.option ?? location.folder.standardizedFileURL.path,
      config: file.isChosen ? file.url.standardizedFileURL.path : nil, arguments: arguments.map(Self.absolute))
    let words = [units.program] + [units.store, units.config].compactMap { $0 } + units.arguments
    if let word = words.first(where: { $0 != Terminal.printable($0) }) {
      throw Failure(.usage, "a systemd unit cannot contain \"\(word)\"; choose another name")
    }
    return units
  }

  /// The service does not run in this folder.
  private static func absolute(_ word: String) -> String {
    word != "-" && access(word, F_OK) == 0 ? URL(fileURLWithPath: word).standardizedFileURL.path : word
  }

  private static func write(_ units: WorkerUnits, to folder: URL) throws(Failure) {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for unit in units.units {
        try Data(unit.text.utf8).write(to: folder.appendingPathComponent(unit.name), options: .atomic)
      }
    } catch {
      throw Failure(
        .configuration,
        "cannot write units to \(folder.path): \(Failure.systemError(of: error)); check its permissions",
        cause: error)
    }
    for unit in units.units { try Output.line("wrote \(folder.appendingPathComponent(unit.name).path)") }
    // A service that stays needs no timer.
    if !units.isTimed { WorkersUninstall.remove(WorkerUnits.timerName, from: folder) }
  }
}

/// `quakes workers uninstall`: takes the units away again.
struct WorkersUninstall: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall",
    abstract: "Stop and disable the service, and remove its unit files.")

  mutating func run() throws {
    let folder = ServiceManager.unitFolder()
    let names = ServiceManager.installed(in: folder)
    let isRunning = ServiceManager.isRunning
    guard !names.isEmpty else { return try Self.disableShared(isRunning: isRunning, folder: folder) }
    if isRunning { try ServiceManager.disable(names) }
    for name in names {
      guard Self.remove(name, from: folder) else {
        throw Failure(.configuration, "cannot remove \(name) from \(folder.path): \(Failure.systemError())")
      }
      try Output.line("removed \(folder.appendingPathComponent(name).path)")
    }
    if isRunning { try ServiceManager.run("daemon-reload") }
  }

  /// A package's service is the package's to remove.
  private static func disableShared(isRunning: Bool, folder: URL) throws {
    let name = WorkerUnits.serviceName
    guard let file = ServiceManager.sharedFile(of: name) else {
      try Output.line("nothing is installed in \(folder.path)")
      return
    }
    guard isRunning else {
      try Output.line("kept \(file.path): systemd has no user instance here that could disable it")
      return
    }
    try ServiceManager.disable([name])
    try Output.line("stopped and disabled \(name); kept \(file.path)")
  }

  /// - Returns: whether it is not there any more.
  @discardableResult
  fileprivate static func remove(_ name: String, from folder: URL) -> Bool {
    unlink(folder.appendingPathComponent(name).path) == 0 || errno == ENOENT
  }
}
