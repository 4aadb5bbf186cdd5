import Foundation
import StrataSystemChecks
import Synchronization

/// Whether the targets of a package that need the plugin use it.
///
/// Without it, the linker reports the accessors of `@NSManaged` members as undefined, by symbols that do not say what is
/// missing; and a model is not part of the program.
struct PackageCheck {
  let folder: URL

  /// nil if the folder is not that of a package.
  init?(folder: URL) {
    let manifest = folder.appendingPathComponent("Package.swift")
    guard FileManager.default.fileExists(atPath: manifest.path) else { return nil }
    self.folder = folder
  }

  private static let plugin = "CoreDataModel"
  private static let name = "plugin"

  var findings: [Finding] {
    let targets: [Target]
    do { targets = try self.targets() } catch {
      return [
        Finding(
          Self.name, .warn, "unknown: swift package dump-package cannot read Package.swift: \(error)",
          advice: "run it in the folder, with swift in PATH")
      ]
    }
    let needs = targets.filter { $0.isCompiled }.compactMap { target in
      need(of: target).map { (target: target, reason: $0) }
    }
    let missing = needs.filter { !$0.target.uses(Self.plugin) }
    if missing.isEmpty {
      return needs.isEmpty ? [] : [Finding(Self.name, .ok, "\(Self.plugin), in all targets that need it")]
    }
    return missing.map { need in
      Finding(
        Self.name, .fail, "the target \(need.target.name) has \(need.reason), but not the plugin \(Self.plugin)",
        advice: "add plugins: [.plugin(name: \"\(Self.plugin)\", package: \"Strata\")] to it in Package.swift")
    }
  }

  // MARK: The manifest

  /// A target as SwiftPM prints it.
  private struct Target: Decodable {
    struct PluginUsage: Decodable {
      /// The plugin and its package.
      var plugin: [String?]
    }

    var name: String
    var type: String
    var path: String?
    var pluginUsages: [PluginUsage]?

    var isCompiled: Bool { ["regular", "executable", "test"].contains(type) }

    func uses(_ plugin: String) -> Bool { pluginUsages?.contains { $0.plugin.first == plugin } ?? false }
  }

  private struct Manifest: Decodable { var targets: [Target] }

  /// The failure of SwiftPM.
  private struct ManifestFailure: Error, CustomStringConvertible {
    let description: String

    /// - Parameter output: what SwiftPM printed as errors. The compiler's errors in it say more than SwiftPM's own.
    init(_ output: Data, status: Int32) {
      let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
      let line = lines.first { $0.contains(": error: ") } ?? lines.first { $0.hasPrefix("error: ") } ?? lines.last
      description = line.map(String.init) ?? "it ended with status \(status)"
    }
  }

  /// - Throws: if SwiftPM does not run, or fails.
  private func targets() throws -> [Target] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift", "package", "--package-path", folder.path, "dump-package"]
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    // A full pipe would block SwiftPM.
    let errorText = Mutex(Data())
    let reading = DispatchGroup()
    DispatchQueue.global().async(group: reading) {
      let text = errors.fileHandleForReading.readDataToEndOfFile()
      errorText.withLock { $0 = text }
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    reading.wait()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ManifestFailure(errorText.withLock { $0 }, status: process.terminationStatus)
    }
    return try JSONDecoder().decode(Manifest.self, from: data).targets
  }

  // MARK: The sources

  /// The reason a target needs the plugin; nil if it does not.
  private func need(of target: Target) -> String? {
    guard let folder = sourceFolder(of: target) else { return nil }
    let paths = (FileManager.default.subpaths(atPath: folder.path) ?? []).sorted()
    if let model = paths.first(where: { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".xcdatamodel") }) {
      return "the model \(model)"
    }
    let source = paths.first { $0.hasSuffix(".swift") && hasManagedMembers(folder.appendingPathComponent($0)) }
    return source.map { "@NSManaged members in \($0)" }
  }

  private func sourceFolder(of target: Target) -> URL? {
    let usual = target.type == "test" ? ["Tests", "Sources"] : ["Sources", "Source", "src", "srcs"]
    let places = target.path.map { [$0] } ?? usual.map { "\($0)/\(target.name)" }
    return places.map { folder.appendingPathComponent($0).resolvingSymlinksInPath() }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }

  private func hasManagedMembers(_ file: URL) -> Bool {
    guard let text = try? String(contentsOf: file, encoding: .utf8), text.contains("@NSManaged") else { return false }
    return text.split(separator: "\n").contains { line in
      let code = line.drop { $0 == " " || $0 == "\t" }
      return code.contains("@NSManaged") && !code.hasPrefix("//")
    }
  }
}
