#if DeveloperTool
import ArgumentParser
import CoreData
import Foundation
import StrataManagedModel
import StrataSQLStore

/// `coredata store load`: adds the objects of a dump to a store.
struct StoreLoad: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Add the objects of a dump to a store, or to a new one.",
    discussion: """
      The format is that of 'coredata store dump'; the first line, with the version hashes, may be missing. IDs such as \
      "Book/p1" are names by which lines refer to earlier or later lines. Objects keep these keys in a store that never \
      had objects of their entity, and get new keys otherwise. Missing attributes get their default values.

      Lines are saved 1,000 at a time. If a line does not match the model, its number is printed and its batch is not \
      saved; earlier batches remain.
      """)

  @Argument(help: ArgumentHelp("The store file; a new one needs --model.", valueName: "path"))
  var path: String

  @Argument(help: ArgumentHelp("The dump (default: standard input).", valueName: "file"))
  var file: String?

  @OptionGroup var source: ModelOption

  func run() throws {
    let reader = try InputLineReader(file)
    let header = try Header(reader)
    let url = try store(for: header.hashes)
    let opened = try ToolStore(
      url, model: source.model(of: url), objects: LoadedObject.self,
      options: [NSPersistentHistoryTrackingKey: (try StoreStatistics(of: url).history != nil) as NSNumber])
    try header.hashes?.check(against: opened.versionHashes)
    let loader = try ObjectLoader(opened)
    do {
      try load(reader, first: header.line, model: opened.model, by: loader)
    } catch let failure as ToolFailure {
      let saved = loader.counts.values.reduce(0, +)
      throw ToolFailure(failure.status, "\(failure.message)\nThe store has \(saved) objects of earlier batches.")
    }
    try opened.close()
    print("\(loader.counts.values.reduce(0, +)) objects loaded")
    let rows = loader.counts.sorted { $0.key < $1.key }.map { [$0.key, "\($0.value)"] }
    for line in Console.table(rows, indent: 2) { print(Console.printable(line)) }
  }

  /// The first line.
  private struct Header {
    var hashes: DumpHeader?
    /// The line, if it is an object.
    var line: JSONNode?

    init(_ reader: InputLineReader) throws {
      let node = try reader.next { line throws(ToolFailure) in
        do throws(JSONParser.Failure) { return try JSONParser.node(in: line) } catch {
          throw ToolFailure(.unusable, "line 1: column \(error.column): \(error.problem)")
        }
      }
      hashes = try node.flatMap(DumpHeader.init)
      line = hashes == nil ? node : nil
    }
  }

  /// Creates the store if it does not exist.
  private func store(for header: DumpHeader?) throws -> URL {
    if FileManager.default.fileExists(atPath: path) {
      let url = try ModelLocation.url(path)
      guard ModelLocation.isStore(url) else { throw ToolFailure(.unusable, "'\(path)' is not an SQLite database") }
      return url
    }
    guard let given = source.path else {
      throw ToolFailure(.missing, "the store '\(path)' does not exist: pass --model to create it")
    }
    let url = URL(fileURLWithPath: path)
    let model = try ModelLocation(given).model
    // A store may hold the entities of one configuration only.
    let metadata: [String: Any] = [NSStoreModelVersionHashesKey: header?.hashes ?? [:]]
    let configuration = header.flatMap { _ in
      model.configurations.first { model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) }
    }
    let isWhole = model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    if !isWhole, configuration == nil { try header?.check(against: model.entityVersionHashesByName) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.remove(
      coordinator.addPersistentStore(type: .sqlite, configuration: isWhole ? nil : configuration, at: url))
    return url
  }

  /// The maximum bytes of lines in memory, unless a single line has more.
  private static let maximumBytes = 8 << 20

  private func load(
    _ reader: InputLineReader, first: JSONNode?, model: NSManagedObjectModel, by loader: ObjectLoader
  ) throws {
    var lines: [ObjectLoader.Line] = []
    var size = 0
    if let first {
      let dumped = try Self.dumped(1) { () throws(DumpedObject.Problem) in try DumpedObject(first, of: model) }
      lines.append(.init(number: 1, dumped: dumped))
    }
    while true {
      let line = try reader.next { bytes -> ObjectLoader.Line? in
        size += bytes.count
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return nil }
        let dumped = try Self.dumped(reader.number) { () throws(DumpedObject.Problem) in
          try DumpedObject(bytes, of: model)
        }
        return ObjectLoader.Line(number: reader.number, dumped: dumped)
      }
      guard let line else { break }
      if let line { lines.append(line) }
      if lines.count == ObjectLoader.batchSize || size > Self.maximumBytes {
        try loader.insert(lines)
        (lines, size) = ([], 0)
      }
    }
    if !lines.isEmpty { try loader.insert(lines) }
    try loader.finish()
  }

  private static func dumped(
    _ line: Int, _ read: () throws(DumpedObject.Problem) -> DumpedObject
  ) throws(ToolFailure) -> DumpedObject {
    do throws(DumpedObject.Problem) { return try read() } catch {
      throw ToolFailure(.unusable, "line \(line): \(error.text)")
    }
  }
}
#endif
