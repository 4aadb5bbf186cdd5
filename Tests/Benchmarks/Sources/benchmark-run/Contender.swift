/// An implementation under comparison.
struct Contender: Sendable {
  /// Its column's heading.
  var title: String
  var program: String
  var arguments: [String] = []
  /// The number of other processes that have the store open and merge commits.
  var followers = 0
  /// Whether the program is a Python script instead of an executable in this program's folder.
  var isPython = false

  static let c = Contender(title: "C", program: "benchmark-c")
  /// C that maintains rows, objects and locks as Core Data must.
  static let obligations = Contender(title: "obligations", program: "benchmark-c", arguments: ["obligations"])
  static let ours = Contender(title: "ours", program: "benchmark-strata")
  static let grdb = Contender(title: "GRDB", program: "benchmark-grdb")
  /// C that also writes a history.
  static let withHistory = Contender(title: "C+history", program: "benchmark-c", arguments: ["history"])
  static let shared = Contender(title: "shared", program: "benchmark-strata", arguments: ["history"], followers: 2)
}

extension Contender {
  /// C on libpq.
  static let libpq = Contender(title: "C", program: "benchmark-postgresql-c")
  static let onServer = Contender(title: "ours", program: "benchmark-postgresql-strata")

  static func sqlAlchemy(_ file: String) -> Contender {
    Contender(title: "SQLAlchemy", program: file, isPython: true)
  }
}

/// The contenders to compare, and the ratios to check against a limit.
struct Comparison: Sendable {
  var contenders: [Contender]
  /// Pairs of indices into `contenders`; the limit applies to the first pair.
  var ratios: [(Int, Int)]
  var limit: @Sendable (Workload) -> Double?
  var workloads = Workload.all
  /// Whether to print the CPU of a server, too.
  var hasServer = false

  /// Compares this project with the same workload in C and in another library.
  static let peers = Comparison(
    contenders: [.c, .ours, .grdb], ratios: [(1, 0), (2, 0), (1, 2)], limit: { $0.target })

  /// The cost of history and of two observing processes, compared with what history alone adds to C.
  static let sharing = Comparison(
    contenders: [.c, .withHistory, .ours, .shared], ratios: [(3, 2), (1, 0), (3, 1)],
    limit: { $0.measure == .cpu ? 1.3 : nil })

  /// Compares this project with the same obligations implemented in C.
  static let obligations = Comparison(
    contenders: [.c, .obligations, .ours], ratios: [(2, 1), (1, 0), (2, 0)], limit: { _ in nil },
    workloads: Workload.withObligations)

  /// Compares this project with C on libpq, and with SQLAlchemy if its file is given.
  static func onServer(sqlAlchemy file: String?) -> Comparison {
    Comparison(
      contenders: [.libpq, .onServer] + (file.map { [.sqlAlchemy($0)] } ?? []),
      ratios: file == nil ? [(1, 0)] : [(1, 0), (2, 0), (1, 2)], limit: { $0.target }, workloads: Workload.onServer,
      hasServer: true)
  }
}
