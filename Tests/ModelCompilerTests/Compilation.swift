import Foundation
import StrataTestSupport

@testable import StrataModelCompiler

/// Sources by file name, compiled by the model compiler and by the toolchain's compiler.
struct Compilation {
  var module = "Library"
  var sources: [String: String]
  /// Modules that the target depends on, by name, with their text.
  var dependencies: [String: String] = [:]

  init(_ module: String = "Library", _ sources: [String: String], dependencies: [String: String] = [:]) {
    self.module = module
    self.sources = sources
    self.dependencies = dependencies
  }

  init(_ source: String) { sources = ["Source.swift": source] }

  /// The generated accessor file.
  var accessors: String {
    let module = SourceModule(name: module)
    for (name, text) in sources.sorted(by: { $0.key < $1.key }) { module.add(Array(text.utf8), path: "/src/\(name)") }
    let resolver = TypeResolver(module, imported: [FoundationTypes.module]) { name in
      dependencies[name].map { text in
        let module = SourceModule(name: name)
        module.add(Array(text.utf8), path: "\(name).swift")
        return module
      }
    }
    return AccessorFile(resolver).text
  }

  /// The symbols of the generated accessors.
  var symbols: Set<String> {
    Set(accessors.split(separator: "\"").map(String.init).filter { $0.hasPrefix("$s") })
  }

  /// The errors in the generated file, each with its line: `3: 'tags': …`. The compiler reports some of them only if a
  /// name exists that this program cannot find.
  var errors: [String] {
    let lines = accessors.split(separator: "\n").map(String.init)
    return lines.indices.compactMap { index in
      guard let start = lines[index].range(of: "\"CoreDataModel: "),
        let end = lines[index].range(of: "\")", range: start.upperBound..<lines[index].endIndex)
      else { return nil }
      let line = lines[index - 1].split(separator: " ").last?.dropLast() ?? ""
      return "\(line): " + lines[index][start.upperBound..<end.lowerBound]
    }
  }

  /// The undefined accessor symbols in the toolchain's output.
  func undefinedSymbols() throws -> Set<String> {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("accessors-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in sources {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    let output = folder.appendingPathComponent("assembly.s")
    let arguments =
      [
        "swiftc", "-parse-as-library", "-wmo", "-Onone", "-swift-version", "6", "-package-name", "tests",
        "-module-name",
      ]
      + [module, "-emit-assembly", "-o", output.path] + sources.keys.map { folder.appendingPathComponent($0).path }
    let errors = try Self.run(arguments)
    guard let assembly = try? String(contentsOf: output, encoding: .utf8) else { throw CompilationError(text: errors) }
    return Self.undefined(in: assembly, module)
  }

  struct CompilationError: Error { var text: String }

  private static func run(_ arguments: [String]) throws -> String {
    let pipe = Pipe()
    let process = try SpawnedProcess(
      "/usr/bin/env", arguments, output: nil, errors: pipe.fileHandleForWriting)
    try pipe.fileHandleForWriting.close()
    let text = pipe.fileHandleForReading.readDataToEndOfFile()
    process.status()
    return String(decoding: text, as: UTF8.self)
  }

  /// The accessors that are referenced but not defined.
  private static func undefined(in assembly: String, _ module: String) -> Set<String> {
    var (named, defined) = (Set<String>(), Set<String>())
    for line in assembly.split(separator: "\n") {
      for word in line.split(whereSeparator: { " \t,()+-\"".contains($0) }) where word.hasPrefix("$s") {
        let name = word.split(separator: "@").first.map(String.init) ?? ""
        if name.hasSuffix(":") {
          defined.insert(String(name.dropLast()))
        } else if ["vg", "vs", "F"].contains(where: name.hasSuffix), name.contains("\(module.utf8.count)\(module)") {
          named.insert(name)
        }
      }
    }
    return named.subtracting(defined)
  }
}
