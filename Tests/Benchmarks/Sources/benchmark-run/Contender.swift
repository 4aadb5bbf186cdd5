/// Who does the work.
struct Contender: Sendable {
  /// The heading of its column.
  var title: String
  var program: String
  var arguments: [String] = []
  /// How many other processes are attached to the store and merge what is committed.
  var followers = 0

  static let c = Contender(title: "C", program: "benchmark-c")
  /// C that keeps rows, objects and locks as Core Data must.
  static let duties = Contender(title: "duties", program: "benchmark-c", arguments: ["duties"])
  static let ours = Contender(title: "ours", program: "benchmark-strata")
  static let grdb = Contender(title: "GRDB", program: "benchmark-grdb")
  /// C that writes a history.
  static let noting = Contender(title: "C+history", program: "benchmark-c", arguments: ["history"])
  static let shared = Contender(title: "shared", program: "benchmark-strata", arguments: ["history"], followers: 2)
}

/// Three that are compared, and what is held against a limit.
struct Comparison: Sendable {
  var contenders: [Contender]
  /// Pairs of places in `contenders`; the first is the one that has the limit.
  var ratios: [(Int, Int)]
  var limit: @Sendable (Work) -> Double?
  var works = Work.all

  /// Against the same work by hand, and by another library.
  static let peers = Comparison(
    contenders: [.c, .ours, .grdb], ratios: [(1, 0), (2, 0), (1, 2)], limit: { $0.target })

  /// What history and two processes that look on add, beside what a history alone adds to C.
  static let sharing = Comparison(
    contenders: [.c, .noting, .ours, .shared], ratios: [(3, 2), (1, 0), (3, 1)],
    limit: { $0.measure == .cpu ? 1.3 : nil })

  /// How near this project is to what its duties cost by hand.
  static let duties = Comparison(
    contenders: [.c, .duties, .ours], ratios: [(2, 1), (1, 0), (2, 0)], limit: { _ in nil },
    works: Work.withDuties)
}
