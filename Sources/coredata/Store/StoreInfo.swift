#if DeveloperTool
import ArgumentParser
import CoreData
import Foundation
import StrataSQLStore

/// `coredata store info`: prints a store's metadata and statistics.
struct StoreInfo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Print a store's metadata and statistics.",
    discussion: "Works without the store's model: everything is read from the file.")

  @OptionGroup var store: StorePath

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let url = try store.url()
    let report = StoreReport(url, statistics: try StoreStatistics(of: url))
    if json { return try Console.print(json: report) }
    for line in report.lines { print(Console.printable(line)) }
  }
}

/// A store's metadata and statistics, for printing.
struct StoreReport: Encodable {
  struct Entity: Encodable {
    var name: String
    var number: Int
    var parent: String?
    var rows: Int
    /// The highest key ever assigned in the hierarchy.
    var lastKey: Int64?
  }

  struct Transaction: Encodable {
    var number: Int64
    var time: Date
  }

  struct History: Encodable {
    var transactions: Int
    var changes: Int
    var first: Transaction?
    var last: Transaction?
    /// The highest transaction number ever assigned; a purge does not reset it.
    var newest: Int64
    var authors: [String]
  }

  /// In bytes.
  struct Sizes: Encodable {
    var file: Int
    /// Committed, but not checkpointed into the file yet.
    var log: Int
    var externalFiles: Int
    var externalBytes: Int
  }

  let formatVersion = 1
  var path: String
  var identifier: String
  var type: String
  var frameworkVersion: Int?
  var modelChecksum: String?
  var modelVersionIdentifiers: [String]
  var keepsModel: Bool
  var journalMode: String
  var autoVacuum: String
  var pageSize: Int
  var pages: Int
  var freePages: Int
  var sizes: Sizes
  var entities: [Entity]
  var pairs: [String: Int]
  var history: History?
  /// The keys that the program added.
  var metadata: [String: String]

  init(_ url: URL, statistics facts: StoreStatistics) {
    path = url.path
    identifier = facts.identifier
    type = facts.metadata["NSStoreType"] as? String ?? "SQLite"
    frameworkVersion = facts.metadata["NSPersistenceFrameworkVersion"] as? Int
    modelChecksum = (facts.metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.versionChecksum
    let identifiers = facts.metadata[NSStoreModelVersionIdentifiersKey] as? [String] ?? []
    modelVersionIdentifiers = identifiers.filter { !$0.isEmpty }
    keepsModel = facts.keepsModel
    (journalMode, autoVacuum) = (facts.journalMode, facts.autoVacuum)
    (pageSize, pages, freePages) = (facts.pageSize, facts.pages, facts.freePages)
    sizes = Sizes(url, statistics: facts)
    let names = Dictionary(facts.entities.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    entities = facts.entities.map { entity in
      Entity(
        name: entity.name, number: entity.number, parent: names[entity.parent], rows: entity.rows,
        lastKey: entity.parent == 0 ? entity.lastKey : nil)
    }
    pairs = Dictionary(uniqueKeysWithValues: facts.pairs.map { ($0.table, $0.rows) })
    history = facts.history.map(History.init)
    metadata = facts.programMetadata.mapValues { "\($0)" }
  }
}

extension StoreReport.History {
  fileprivate init(_ history: StoreStatistics.History) {
    (transactions, changes, newest, authors) = (history.transactions, history.changes, history.newest, history.authors)
    first = history.first.map { StoreReport.Transaction(number: $0.number, time: $0.time) }
    last = history.last.map { StoreReport.Transaction(number: $0.number, time: $0.time) }
  }
}

extension StoreReport.Sizes {
  fileprivate init(_ url: URL, statistics facts: StoreStatistics) {
    file = Self.size(url.path)
    log = Self.size(url.path + "-wal")
    externalFiles = facts.externalSizes.count
    externalBytes = facts.externalSizes.reduce(0, +)
  }

  private static func size(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
  }
}

/// The text form.
extension StoreReport {
  var lines: [String] {
    Console.table(facts) + [""] + Console.table(rows, indent: 2) + relations
  }

  private var facts: [[String]] {
    var facts = [["store", path], ["identifier", identifier], ["type", type + framework]]
    facts.append(["model", (modelChecksum ?? "unknown") + (keepsModel ? "" : ", not kept in the store")])
    if !modelVersionIdentifiers.isEmpty {
      facts.append(["identifiers", modelVersionIdentifiers.joined(separator: ", ")])
    }
    facts.append(["file", Console.bytes(sizes.file)])
    // Some may be in the log alone.
    facts.append(["pages", "\(pages) of \(pageSize) bytes, \(freePages) of them free"])
    facts.append(["log", "\(Console.bytes(sizes.log)), journal mode \(journalMode), auto-vacuum \(autoVacuum)"])
    if sizes.externalFiles > 0 {
      facts.append(["large data", "\(sizes.externalFiles) files, \(Console.bytes(sizes.externalBytes))"])
    }
    facts.append(["history", historyText])
    if let history, !history.authors.isEmpty {
      facts.append(["authors", history.authors.joined(separator: ", ")])
    }
    facts += metadata.sorted { $0.key < $1.key }.map { ["metadata", "\($0.key) = \($0.value)"] }
    return facts
  }

  private var framework: String { frameworkVersion.map { ", framework version \($0)" } ?? "" }

  private var historyText: String {
    guard let history else { return "none" }
    let counts = "\(history.transactions) transactions, \(history.changes) changes"
    guard let first = history.first, let last = history.last else {
      return "\(counts); the newest was \(history.newest)"
    }
    return "\(counts): \(Self.text(first)) to \(Self.text(last))"
  }

  private static func text(_ transaction: Transaction) -> String {
    "\(transaction.number) (\(transaction.time.formatted(.iso8601)))"
  }

  private var rows: [[String]] {
    [["entity", "Z_ENT", "rows", "last key"]]
      + entities.map { entity in
        [
          entity.name + (entity.parent.map { ", a \($0)" } ?? ""), "\(entity.number)", "\(entity.rows)",
          entity.lastKey.map { "\($0)" } ?? "",
        ]
      }
  }

  private var relations: [String] {
    pairs.isEmpty
      ? []
      : [""]
        + Console.table(
          [["pairs", "rows"]] + pairs.sorted { $0.key < $1.key }.map { [$0.key, "\($0.value)"] }, indent: 2)
  }
}
#endif
