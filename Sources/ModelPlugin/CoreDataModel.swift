import Foundation
import PackagePlugin

/// Generates what a target needs from Core Data: its models and mapping models, embedded and as bundle resources; the
/// classes whose code generation is left to the build; and the accessors of its `@NSManaged` declarations.
///
/// One command per target, run when its sources, its models or sources whose types it may use have changed. The command
/// runs `Sources/model-compiler`.
@main
struct CoreDataModel: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else { return [] }
    let dependencies = target.recursiveTargetDependencies.compactMap { $0 as? SwiftSourceModuleTarget }
    let own = Set(context.package.targets.map(\.id))
    let nearby = dependencies.filter { own.contains($0.id) }
    // They may declare classes of the target's models. A change of them does not rerun the command.
    let dependents = context.package.targets.compactMap { $0 as? SwiftSourceModuleTarget }
      .filter { $0.recursiveTargetDependencies.contains { $0.id == target.id } }
    let output = context.pluginWorkDirectoryURL
    return [
      .buildCommand(
        displayName: "Core Data of \(target.name)", executable: try context.tool(named: "strata-model-compiler").url,
        arguments: Self.arguments(
          for: target, dependencies: dependencies, dependents: dependents, output: output),
        inputFiles: ([target] + nearby).flatMap(Self.inputs),
        outputFiles: (["Models", "Classes", "Accessors"].map { "CoreDataModel+\($0).swift" }
          + Self.resources(of: target))
          .map { output.appending(path: $0) })
    ]
  }

  /// The target's bundle resources, named as Apple's compilers name them.
  private static func resources(of target: SwiftSourceModuleTarget) -> [String] {
    let types = ["xcdatamodeld": "momd", "xcdatamodel": "mom", "xcmappingmodel": "cdm"]
    let names = models(in: target.directoryURL).map { url in
      "\(url.deletingPathExtension().lastPathComponent).\(types[url.pathExtension] ?? "")"
    }
    return Set(names).sorted()
  }

  private static func arguments(
    for target: SwiftSourceModuleTarget, dependencies: [SwiftSourceModuleTarget],
    dependents: [SwiftSourceModuleTarget], output: URL
  ) -> [String] {
    var arguments = ["--module", target.moduleName, "--kind", "\(target.kind)", "--output", output.path]
    arguments += ["--sources"] + sources(of: target).map(\.path)
    let models = models(in: target.directoryURL)
    arguments += ["--models"] + models.filter { $0.pathExtension != "xcmappingmodel" }.map(\.path)
    arguments += ["--mappings"] + models.filter { $0.pathExtension == "xcmappingmodel" }.map(\.path)
    arguments += ["--dependencies"] + dependencies.map(moduleAndFolder)
    arguments += ["--dependents"] + dependents.map(moduleAndFolder)
    return arguments
  }

  private static func moduleAndFolder(_ target: SwiftSourceModuleTarget) -> String {
    "\(target.moduleName)=\(target.directoryURL.path)"
  }

  // MARK: Files

  /// The files whose changes rerun the command.
  private static func inputs(of target: SwiftSourceModuleTarget) -> [URL] {
    sources(of: target) + models(in: target.directoryURL).flatMap(files)
  }

  /// The target's own source files.
  private static func sources(of target: SwiftSourceModuleTarget) -> [URL] {
    target.sourceFiles(withSuffix: "swift").filter { $0.type == .source }.map(\.url)
  }

  /// The models in a folder: versioned ones, single ones outside of them, and mapping models.
  private static func models(in folder: URL) -> [URL] {
    // Enumerating a symbolic link yields nothing.
    let place = folder.resolvingSymlinksInPath()
    let paths = FileManager.default.enumerator(atPath: place.path)
    var models: [URL] = []
    while let path = paths?.nextObject() as? String {
      let name = path.split(separator: "/").last ?? ""
      let isModel = [".xcdatamodeld", ".xcdatamodel", ".xcmappingmodel"].contains { name.hasSuffix($0) }
      if isModel { models.append(folder.appending(path: path)) }
      if isModel || name.hasPrefix(".") { paths?.skipDescendants() }
    }
    return models.sorted { $0.path < $1.path }
  }

  /// A model's folder, which must be named to count as handled, and its files.
  private static func files(of model: URL) -> [URL] {
    let paths = FileManager.default.subpaths(atPath: model.path) ?? []
    return [model] + paths.sorted().map { model.appending(path: $0) }
  }
}
