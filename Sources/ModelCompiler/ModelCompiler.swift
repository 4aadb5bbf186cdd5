import Foundation
import StrataFormats
import StrataModelSource

/// Generates the code and resources for a target's models and `@NSManaged` declarations. `Sources/ModelPlugin` runs it.
package struct ModelCompiler {
  private let job: Job
  private let module: SourceModule

  /// Runs with the given arguments, and exits with status 1 on failure.
  package static func main(_ arguments: some Sequence<String>) {
    do {
      try ModelCompiler(Job(arguments)).run()
    } catch let problem as FileFormatError {
      stop("\(problem)")
    } catch {
      stop("error: CoreDataModel: \(error)")
    }
  }

  private static func stop(_ text: String) -> Never {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
    exit(1)
  }

  private init(_ job: Job) {
    self.job = job
    module = SourceModule(name: job.module)
  }

  private func run() throws {
    var models = try job.models.sorted().map { path throws(FileFormatError) in try ModelSource(at: path) }
    for path in job.sources.sorted() { module.add(try Self.bytes(of: path), path: path) }
    try refuseRepeatedClasses(of: models)
    let classes = ClassFile(documents: models.map(\.current.document)).text
    module.add(Array(classes.utf8), path: "\(job.output)/\(Self.classFile)")
    let resolver = TypeResolver(module, imported: [FoundationTypes.module]) { name in
      job.dependencies[name].map { Self.read(name, in: $0) }
    }
    for index in models.indices { models[index].nameClasses { self.home(of: $0, resolver) } }
    let compiled = try models.map { try CompiledModel($0, module: job.module) }
    let mappings = try job.mappings.sorted().map { path throws(CompilerError) in try CompiledMapping(at: path) }
    let accessors = AccessorFile(resolver)
    let written = accessors.properties.filter { !$0.file.hasSuffix("/\(Self.classFile)") }
    let check = ModelCheck(
      models: models, properties: written, uncalled: accessors.uncalled, module: module, classes: classSearch(resolver))
    let doubts = check.warnings
    for warning in compiled.flatMap(\.warnings) + doubts { FileHandle.standardError.write(Data("\(warning)\n".utf8)) }
    try write(
      ModelFile(module: job.module, models: compiled, mappings: mappings).text, to: "CoreDataModel+Models.swift")
    try write(classes, to: Self.classFile)
    try write(accessors.text, to: "CoreDataModel+Accessors.swift")
    try writeResources(compiled, mappings: mappings)
  }

  /// Stops at a class that the target both declares and generates: the compiler would report each use of its name.
  private func refuseRepeatedClasses(of models: [ModelSource]) throws(FileFormatError) {
    for entity in models.flatMap(\.current.document.entities) where entity.hasClass && entity.codeGeneration == .class {
      guard let location = module.location(ofClass: entity.className) else { continue }
      throw FileFormatError(
        file: location.path, line: location.line,
        "the model generates the class '\(entity.className)' too: delete this one, or set the entity's Codegen to "
          + "Manual/None, or to Category/Extension to keep the generated properties")
    }
  }

  /// Writes the resources for the target's bundle.
  private func writeResources(_ models: [CompiledModel], mappings: [CompiledMapping]) throws {
    for mapping in mappings { try write(mapping.bytes, to: "\(mapping.name).cdm") }
    for model in models {
      let (files, folder) = (model.files, "\(job.output)/\(model.name).momd")
      // If anything in a folder changed it is recreated: its time tells the build, and no stale version stays.
      let isNew = files.contains { FileManager.default.contents(atPath: "\(job.output)/\($0.key)") != $0.value }
      let count = FileManager.default.subpaths(atPath: folder)?.count ?? 0
      guard isNew || !model.isSingle && count != files.count else { continue }
      if !model.isSingle { try? FileManager.default.removeItem(atPath: folder) }
      for (path, data) in files { try write(data, to: path) }
    }
  }

  private static let classFile = "CoreDataModel+Classes.swift"

  /// The module that declares an entity's class: the target's own, or one that it depends on.
  private func home(of entity: ModelDocument.Entity, _ resolver: TypeResolver) -> String? {
    if module.declaresClass(entity.className) { return module.name }
    return others.first { resolver.sources(of: $0)?.declaresClass(entity.className) == true }
  }

  private func classSearch(_ resolver: TypeResolver) -> ClassSearch {
    let beneath = others.compactMap(resolver.sources)
    return ClassSearch(
      // If other targets may depend on this one, they may declare the classes.
      isProgram: ["executable", "test"].contains(job.kind), beneath: beneath,
      above: { job.dependents.sorted { $0.key < $1.key }.map { Self.read($0.key, in: $0.value) } },
      names: ([module] + beneath).flatMap(resolver.managedClassNames))
  }

  /// The modules that the target depends on and that may declare classes of entities.
  private var others: [String] { job.dependencies.keys.filter { !Self.ownModules.contains($0) }.sorted() }

  /// CoreData's own modules, which never declare a program's class.
  private static let ownModules: Set<String> = [
    "CoreData", "CoreDataPostgreSQL", "StrataFetchedResults", "StrataFormats", "StrataFoundationGaps",
    "StrataManagedModel", "StrataMemoryStore", "StrataModelSource", "StrataObjectGraph", "StrataPostgreSQLStore",
    "StrataPredicates", "StrataRowStore", "StrataRuntime", "StrataSQLStore", "StrataSQLText", "StrataSQLiteEngine",
    "StrataSharing", "StrataStoreCoordination", "StrataSupport",
  ]

  // MARK: Files

  private static func bytes(of path: String) throws(CompilerError) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CompilerError("cannot read the source \(path).")
    }
    return Array(data)
  }

  /// Parses the sources of a module that the target depends on, including classes generated from its models. Unreadable
  /// files are skipped.
  private static func read(_ name: String, in folder: String) -> SourceModule {
    let module = SourceModule(name: name)
    // Enumerating a symbolic link yields nothing.
    let url = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    let paths = FileManager.default.enumerator(atPath: url)?.compactMap { $0 as? String } ?? []
    var documents: [ModelDocument] = []
    for path in paths.filter({ !$0.hasPrefix(".") }).sorted().map({ "\(folder)/\($0)" }) {
      if path.hasSuffix(".swift"), let source = try? bytes(of: path) { module.add(source, path: path) }
      if path.hasSuffix(".xcdatamodeld"), let model = try? ModelSource(at: path) {
        documents.append(model.current.document)
      }
    }
    module.add(Array(ClassFile(documents: documents).text.utf8), path: classFile)
    return module
  }

  /// Writes a file unless it is unchanged, to avoid needless recompilation.
  private func write(_ text: String, to name: String) throws(CompilerError) { try write(Data(text.utf8), to: name) }

  private func write(_ data: Data, to name: String) throws(CompilerError) {
    let url = URL(fileURLWithPath: job.output).appendingPathComponent(name)
    if FileManager.default.contents(atPath: url.path) == data { return }
    do {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: url)
    } catch {
      throw CompilerError("cannot write \(url.path): \(error)")
    }
  }
}
