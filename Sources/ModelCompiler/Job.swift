/// The command line: what to compile.
struct Job {
  /// The module being built.
  var module = ""
  /// The target's kind: `generic` for a library, `executable`, `test`.
  var kind = ""
  /// The output folder.
  var output = ""
  var sources: [String] = []
  /// Folders `Name.xcdatamodeld` and `Name.xcdatamodel`.
  var models: [String] = []
  /// Folders `Name.xcmappingmodel`.
  var mappings: [String] = []
  /// The source folders of the modules that the target depends on, by name.
  var dependencies: [String: String] = [:]
  /// The source folders of the package's modules that depend on the target, by name.
  var dependents: [String: String] = [:]

  init(_ arguments: some Sequence<String>) throws {
    var option = ""
    for argument in arguments {
      if argument.hasPrefix("--") {
        option = argument
        continue
      }
      switch option {
      case "--module": module = argument
      case "--kind": kind = argument
      case "--output": output = argument
      case "--sources": sources.append(argument)
      case "--models": models.append(argument)
      case "--mappings": mappings.append(argument)
      case "--dependencies": try Self.add(argument, to: &dependencies)
      case "--dependents": try Self.add(argument, to: &dependents)
      default: throw CompilerError("unexpected argument '\(argument)'.")
      }
    }
    if module.isEmpty || output.isEmpty { throw CompilerError("--module and --output are required.") }
  }

  private static func add(_ argument: String, to modules: inout [String: String]) throws {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2 else { throw CompilerError("'\(argument)' does not have the form Module=Folder.") }
    modules[String(parts[0])] = String(parts[1])
  }
}

/// A message for the build log.
struct CompilerError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
