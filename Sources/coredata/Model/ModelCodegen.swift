#if DeveloperTool
import ArgumentParser
import Foundation
import StrataManagedModel
import StrataModelCompiler
import StrataModelSource

/// `coredata model codegen`: writes a model's classes as the build generates them.
struct ModelCodegen: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "codegen", abstract: "Write the Swift classes of a model's entities.",
    discussion: """
      Name+CoreDataClass.swift and Name+CoreDataProperties.swift for each entity, as Xcode's "Create NSManagedObject \
      Subclass" does: the class only where the model leaves it to the build. With --all, also for entities with a manual \
      class; set these to "Manual/None" if the target uses the plugin, which generates the others automatically.

      A store and a compiled model say neither which classes the build generates nor which numbers are scalars: all \
      classes are written, with NSNumber properties, or Int64, Double, Bool and so on with --scalars.
      """)

  @Argument(help: ArgumentHelp("The model, or a store that contains one.", valueName: "path"))
  var path: String

  @Option(
    help: ArgumentHelp("The model version, if there are several (default: the current one).", valueName: "name"))
  var modelVersion: String?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The output folder; created if missing.", valueName: "folder"))
  var output: String

  @Flag(
    help: """
      Write class and properties of every entity with a class, regardless of its Codegen setting. A store and a compiled \
      model do not have that setting, so this is always done for them.
      """)
  var all = false

  @Flag(help: "Use Swift numbers for all numeric attributes, optional ones too: nil is read as 0.")
  var scalars = false

  func run() throws {
    let files = try self.files()
    for file in files {
      let target = URL(fileURLWithPath: output).appendingPathComponent(file.name)
      do {
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        try Data(file.text.utf8).write(to: target, options: .atomic)
      } catch {
        throw ToolFailure(.unusable, "cannot write '\(target.path)': \(error)")
      }
      print(target.relativePath)
    }
  }

  private func files() throws -> [(name: String, text: String)] {
    let url = try ModelLocation.url(path)
    guard ["mom", "momd"].contains(url.pathExtension) || ModelLocation.isStore(url) else {
      let files = try ModelCompiler.classFiles(ofModelAt: url.path, version: modelVersion, all: all, scalars: scalars)
      if files.isEmpty {
        Console.printError(
          "coredata: no entity leaves its class to the build; use --all for the classes of all entities")
      }
      return files
    }
    let model = try ModelLocation(path, version: modelVersion).model
    let files = ModelCompiler.classFiles(of: ModelDocument(of: model, file: path), all: true, scalars: scalars)
    if files.isEmpty { Console.printError("coredata: no entity of '\(path)' has a class of its own") }
    return files
  }
}
#endif
