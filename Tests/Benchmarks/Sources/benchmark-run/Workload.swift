/// One row of the table: a workload, and its allowed ratio to C.
struct Workload: Sendable {
  /// The compared quantity.
  enum Measure: Sendable {
    /// Milliseconds of CPU.
    case cpu
    /// The growth of the process in bytes per row.
    case memory
  }

  var name: String
  var title: String
  /// The maximum ratio to C; nil without a target.
  var target: Double?
  /// Whether the workload starts with a store without quakes.
  var isFresh = false
  var measure = Measure.cpu
  /// Whether all contenders keep a history.
  var keepsHistory = false

  /// The row's unique name in JSON.
  var key: String { keepsHistory ? name + "-with-history" : name }

  static let all = [
    Workload(name: "insert", title: "insert all, one save", target: 1.2, isFresh: true),
    Workload(name: "insert-1000", title: "insert in saves of 1,000", target: 1.2, isFresh: true),
    Workload(name: "single", title: "1,000 saves of one object", target: 1.4),
    Workload(name: "all", title: "fetch all, read every property", target: 1.0),
    Workload(name: "one", title: "fetch all, read one property", target: 0.8),
    Workload(name: "ids", title: "fetch the ids", target: 2.0),
    Workload(name: "look-up", title: "100k look-ups by unique attribute", target: 1.5),
    Workload(name: "sorted", title: "predicate, sort, limit 50, indexed", target: 1.2),
    Workload(name: "import", title: "import 10k: 95 % unchanged", target: 1.1),
    Workload(name: "update", title: "change one field of 10k, save", target: 1.3),
    Workload(name: "delete", title: "delete 10k with cascade, save", target: 1.2),
    Workload(name: "to-many", title: "to-many of 750 regions, lazily", target: 1.1),
    Workload(name: "to-many-prefetched", title: "the same prefetched", target: 1.0),
    Workload(name: "many-to-many", title: "many-to-many of 10k, lazily", target: 1.2),
    Workload(name: "many-to-many-prefetched", title: "many-to-many of all, prefetched", target: 1.1),
    Workload(name: "first-50", title: "first 50 by time", target: nil),
    Workload(name: "first-50-batched", title: "first 50 of all, in batches", target: nil),
    Workload(name: "hold", title: "memory of all objects, bytes each", target: 1.3, measure: .memory),
  ]

  /// The workloads that are also run with the obligations of an object graph.
  static let withObligations =
    all.filter { ["single", "all", "one"].contains($0.name) }
    + [Workload(name: "single", title: "1,000 saves with history", keepsHistory: true)]

  /// The workloads on a server. Most saves write a history, because shared stores have one.
  static let onServer = [
    Workload(name: "insert", title: "insert all, one save", target: 4, isFresh: true),
    Workload(
      name: "insert", title: "insert all, one save, history", target: nil, isFresh: true, keepsHistory: true),
    Workload(name: "insert-1000", title: "insert in saves of 1,000", target: 4, isFresh: true),
    Workload(name: "batch-insert", title: "NSBatchInsertRequest of all", target: 4, isFresh: true),
    Workload(name: "single", title: "1,000 saves of a new object", target: 3, keepsHistory: true),
    Workload(name: "single-change", title: "1,000 saves of a change", target: 3, keepsHistory: true),
    Workload(name: "update", title: "change one field of 10k, save", target: 2, keepsHistory: true),
    Workload(name: "delete", title: "delete 10k with cascade, save", target: 2, keepsHistory: true),
    Workload(name: "all", title: "fetch all, read every property", target: 2),
    Workload(name: "one", title: "fetch all, read one property", target: 1.3),
    Workload(name: "look-up", title: "1,000 look-ups by unique text", target: 2.5),
    Workload(name: "faults", title: "1,000 faults fired in a loop", target: 2.5),
    Workload(name: "count", title: "100 counts", target: 2.5),
  ]

  static var names: [String] { (all + onServer).reduce(into: []) { if !$0.contains($1.name) { $0.append($1.name) } } }
}
