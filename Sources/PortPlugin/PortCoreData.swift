import Foundation
import PackagePlugin

/// `swift package port-core-data [--write] [--target NAME]…`: prints or makes the changes that the sources of the package's
/// targets need on Linux. The program is `Sources/port`.
@main
struct PortCoreData: CommandPlugin {
  private static let help = """
    Usage: swift package port-core-data [--write] [--target NAME]…

    Rewrite the package's sources for Apple's platforms so that they also compile on Linux. Without --write, prints a diff, \
    which 'git apply' and 'patch -p1' apply in the package's folder. Then lists what needs manual changes. Exits with status 0 \
    even if there are changes or such places.

      --write        Edit the files.
      --target NAME  Port only this target. Can be repeated.
      --help         Print this help.
    """

  func performCommand(context: PluginContext, arguments: [String]) throws {
    var extractor = ArgumentExtractor(arguments)
    guard extractor.extractFlag(named: "help") == 0 else { return print(Self.help) }
    let names = extractor.extractOption(named: "target")
    let isWriting = extractor.extractFlag(named: "write") > 0
    guard extractor.remainingArguments.isEmpty else {
      Diagnostics.error("unknown: \(extractor.remainingArguments.joined(separator: " ")). See --help")
      return
    }
    let program = try context.tool(named: "strata-port").url
    let targets = names.isEmpty ? context.package.targets : try context.package.targets(named: names)
    for target in targets {
      guard let target = target as? SwiftSourceModuleTarget else { continue }
      try port(target, in: context.package.directoryURL, program: program, isWriting: isWriting)
    }
  }

  private func port(_ target: SwiftSourceModuleTarget, in package: URL, program: URL, isWriting: Bool) throws {
    let sources = target.sourceFiles(withSuffix: "swift").filter { $0.type == .source }.map(\.url)
    guard !sources.isEmpty else { return }
    print("\(target.name):")
    fflush(nil)
    let process = Process()
    process.executableURL = program
    process.currentDirectoryURL = package
    process.arguments = (isWriting ? ["--write"] : []) + ([target.directoryURL] + sources).map { path($0, in: package) }
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 { Diagnostics.error("\(target.name) was not ported") }
  }

  /// The path relative to the package, if the file is in it.
  private func path(_ file: URL, in package: URL) -> String {
    let folder = package.path + "/"
    return file.path.hasPrefix(folder) ? String(file.path.dropFirst(folder.count)) : file.path
  }
}
