import Foundation
import StrataPredicates
import StrataRowStore
import StrataTestSupport
import Testing

/// A predicate gives the same rows in the same order in SQLite, in PostgreSQL, in the memory store and on plain objects.
///
/// `STRATA_DIFFERENTIAL_SEED` is the first seed, `STRATA_DIFFERENTIAL_COUNT` the number of predicates per seed.
@Suite struct DifferentialTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let firstSeed = environment["STRATA_DIFFERENTIAL_SEED"].flatMap(UInt64.init) ?? 1
  private static let count = environment["STRATA_DIFFERENTIAL_COUNT"].flatMap(Int.init) ?? 1_000

  @Test(arguments: firstSeed..<(firstSeed + UInt64(Thoroughness.repetitions(1, all: 4))))
  func `predicates give the same result in all stores`(_ seed: UInt64) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("strata-differential-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let samples = try Samples(seed: seed, in: folder)
    var maker = PredicateMaker(random: SeededRandom(seed: seed &* 7_919), samples: samples)
    var refusals: [String: Int] = [:]
    var failures = 0
    var query = maker.query()
    for number in 0..<Self.count where failures < 5 {
      // Every other query differs from its predecessor only in its constants, so that statements are reused.
      query = number.isMultiple(of: 2) ? maker.query() : maker.withOtherConstants(query)
      switch query.compare() {
      case .same: break
      case .refused(let part): refusals[Refusal.name(of: part), default: 0] += 1
      case .different(let differences):
        failures += 1
        let small = query.shrunk()
        Issue.record(
          "seed \(seed), number \(number): \(small.entity) where \(small.predicate) by \(small.sort)\n\(differences)\n\(small.statement)"
        )
      }
    }
    let refused = refusals.values.reduce(0, +)
    print(
      "Differential test: seed \(seed), \(Self.count) predicates, \(refused) refused: \(refusals.sorted { $0.value > $1.value })"
    )
    let unknown = refusals.keys.filter { !Refusal.names.contains($0) }
    #expect(unknown.isEmpty, "unknown reasons for a refusal")
    #expect(refused * 100 <= Self.count * Refusal.maximumPercent)
  }
}

/// The errors for predicates that SQL cannot express.
enum Refusal {
  static let maximumPercent = 5
  static let names: Set<String> = [
    // A collection has no meaning where a value is required.
    "a to-many key path is compared like a single value; put ANY, ALL or NONE before it.",
    "… has an argument with many values.", "… mixes members with other values.",
    // SQL stores decimals as integers or reals and cannot tell them apart if one expression may give either.
    "… may be a decimal number with more digits than SQL can hold.", "the two values of … are not of one kind.",
    "… mixes decimal and other numbers.",
    // A column has values of one kind.
    "… mixes values of different kinds.", "… has objects as arguments.",
    "the two values of … are objects of different hierarchies.",
    // SQL has no collection values.
    "… is supported only on the right side of a plain IN.", "a to-many path continues after …, which may be nil.",
    "a path continues after ….",
  ]

  /// An error message without the names it contains.
  static func name(of message: String) -> String {
    var name = message.replacing("The fetch cannot be expressed in SQL: ", with: "")
    name.replace(/'(.|\n)*'/, with: "…")
    return name
  }
}

extension PredicateMaker {
  mutating func query() -> ComparedQuery {
    let entity = random.pick(["Thing", "Thing", "Thing", "Special", "Group", "Area", "Tag"])
    let predicate = predicate(2, at: Scope(entity: entity))
    let keys = (0..<random.pick([0, 1, 1, 2])).compactMap { _ in sortKey(entity) }
    return ComparedQuery(samples: samples, entity: entity, predicate: predicate, sort: keys)
  }

  /// The same query with other constants of the same kinds.
  mutating func withOtherConstants(_ query: ComparedQuery) -> ComparedQuery {
    var maker = self
    defer { self = maker }
    let predicate = query.predicate.mappingValues { value in
      switch value {
      case .integer(0...3): value
      case .integer: .integer(maker.random.pick(Pool.wholes))
      case .real: .real(maker.random.pick(Pool.reals))
      case .string(let text) where CastType(rawValue: text) == nil && !Pool.isPattern(text):
        .string(maker.random.pick(Pool.texts))
      case .date: .date(Date(timeIntervalSinceReferenceDate: maker.random.pick(Pool.seconds)))
      case .uuid: .uuid(maker.random.pick(Pool.tokens))
      default: value
      }
    }
    return ComparedQuery(samples: samples, entity: query.entity, predicate: predicate, sort: query.sort)
  }

  private mutating func sortKey(_ entity: String) -> SortKey? {
    let family = random.pick(SampleModel.Family.allCases)
    guard let path = path(from: entity, to: family, hops: 2), !path.isEmpty else { return nil }
    let comparison = random.once(in: 3) ? random.pick(SortComparison.allCases) : .binary
    return SortKey(path, ascending: random.once(in: 2), comparison: comparison)
  }
}
