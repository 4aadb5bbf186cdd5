#if DeveloperTool
import ArgumentParser
import Foundation
import StrataSQLStore
import StrataSupport

/// `coredata store tables`: prints where the objects of a store are in its file.
struct StoreTablesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tables", abstract: "Print the tables, columns, rows and indexes of a store's entities.",
    discussion: """
      Describes the file for reading it with sqlite3. Reading is safe; a program that writes to the file without Core \
      Data damages the store.
      """)

  @OptionGroup var store: StorePath
  @OptionGroup var source: ModelOption

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let url = try store.url()
    let report = Report(store.path, tables: try StoreTables(of: url, model: source.model(of: url)))
    if json { return try Console.print(json: report) }
    for line in report.lines { print(Console.printable(line)) }
  }

  fileprivate struct Report: Encodable {
    struct Entity: Encodable {
      var name: String
      var number: Int
      var parent: String?
      var isAbstract: Bool
      var table: String
      var rows: Int
    }

    struct Column: Encodable {
      var name: String
      var type: String
      var contents: [String]
    }

    struct Index: Encodable {
      var name: String
      var isUnique: Bool
      var columns: [String]
      var condition: String?
    }

    struct Table: Encodable {
      var name: String
      var relationships: [String]
      var rows: Int
      var columns: [Column]
      var indexes: [Index]
    }

    let formatVersion = 1
    var path: String
    var entities: [Entity]
    var tables: [Table]

    init(_ path: String, tables found: StoreTables) {
      self.path = path
      entities = found.entities.map {
        Entity(
          name: $0.name, number: $0.number, parent: $0.parent, isAbstract: $0.isAbstract, table: $0.table, rows: $0.rows
        )
      }
      tables = found.tables.map { table in
        Table(
          name: table.name, relationships: table.relationships, rows: table.rows,
          columns: table.columns.map { Column(name: $0.name, type: $0.type, contents: $0.contents) },
          indexes: table.indexes.map {
            Index(name: $0.name, isUnique: $0.isUnique, columns: $0.columns, condition: $0.condition)
          })
      }
    }

    var lines: [String] {
      let head = [["entity", "Z_ENT", "table", "rows"]]
      let rows = entities.map { entity in
        [
          entity.name + (entity.parent.map { ", a \($0)" } ?? "") + (entity.isAbstract ? ", abstract" : ""),
          "\(entity.number)", entity.table, "\(entity.rows)",
        ]
      }
      return Console.table(head + rows) + tables.flatMap { [""] + $0.lines }
    }
  }
}

extension StoreTablesCommand.Report.Table {
  fileprivate var lines: [String] {
    let pairs = relationships.isEmpty ? "" : ", pairs of \(relationships.joined(separator: " and "))"
    let columns = columns.map { [$0.name, $0.type, $0.contents.joined(separator: "; ")] }
    let indexes = indexes.map { index in
      let condition = index.condition.map { " where \($0)" } ?? ""
      return "  \(index.isUnique ? "unique index" : "index") \(index.name) (\(index.columns.joined(separator: ", ")))"
        + condition
    }
    return ["table \(name), \(counted(rows, "row"))\(pairs)"] + Console.table(columns, indent: 2) + indexes
  }
}
#endif
