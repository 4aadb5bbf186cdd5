#if DeveloperTool
import ArgumentParser
import CoreData
import Foundation

/// `coredata store history`: prints the transactions in a store's history.
struct StoreHistory: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Print the transactions of a store, oldest first.",
    discussion: """
      Prints the number, time and author of each, and its inserts, updates and deletions: the names of the properties that \
      an update changed, and the values that the model preserves after deletion.
      """)

  @OptionGroup var store: StorePath
  @OptionGroup var filter: HistoryOptions

  @Option(help: "Only transactions after a transaction number, or after a time such as 2026-01-31T12:00:00Z.")
  var after: HistoryStart?

  @Option(help: "The maximum number of transactions: the newest ones or, with --after, the first ones.")
  var limit: Int?

  @Flag(help: "Print JSON.")
  var json = false

  private struct Report: Encodable {
    let formatVersion = 1
    var path: String
    var transactions: [TransactionReport]
  }

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
  }

  func run() throws {
    let url = try store.url()
    let source = try HistorySource(url, model: filter.source.model(of: url))
    var transactions = try source.transactions(filter.request(in: source, after: after))
    if let limit { transactions = Array(after == nil ? transactions.suffix(limit) : transactions.prefix(limit)) }
    let reports = transactions.map(TransactionReport.init)
    if json { return try Console.print(json: Report(path: store.path, transactions: reports)) }
    for line in reports.flatMap(\.lines) { print(Console.printable(line)) }
  }
}

/// A position in the history: a transaction number or a time.
enum HistoryStart: ExpressibleByArgument {
  case number(Int64)
  case time(Date)

  init?(argument: String) {
    if let number = Int64(argument), number >= 0 {
      self = .number(number)
    } else if let time = try? Date(argument, strategy: .iso8601) {
      self = .time(time)
    } else if let day = try? Date(argument, strategy: .iso8601.year().month().day()) {
      self = .time(day)
    } else {
      return nil
    }
  }
}

/// Which transactions to print.
struct HistoryOptions: ParsableArguments {
  @Option(help: "Only transactions by this author.")
  var author: String?

  @Option(help: "Only changes of this entity, and transactions that contain them.")
  var entity: String?

  @OptionGroup var source: ModelOption

  /// - Throws: `ToolFailure` for an entity that the model does not have.
  func request(in source: HistorySource, after position: HistoryStart?) throws -> NSPersistentHistoryChangeRequest {
    var parts: [NSPredicate] = []
    if let entity = try entity(in: source) { parts.append(NSPredicate(format: "changedEntity == %@", entity)) }
    if let author { parts.append(NSPredicate(format: "author == %@", author)) }
    switch position {
    case .number(let number): parts.append(NSPredicate(format: "transactionNumber > %lld", number))
    case .time(let time): parts.append(NSPredicate(format: "timestamp > %@", time as NSDate))
    case nil: break
    }
    let fetch = entity == nil ? NSPersistentHistoryTransaction.fetchRequest : NSPersistentHistoryChange.fetchRequest
    fetch?.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    let request = NSPersistentHistoryChangeRequest()
    request.fetchRequest = fetch
    return request
  }

  func entity(in source: HistorySource) throws -> NSEntityDescription? {
    try entity.map(source.opened.entity)
  }
}
#endif
