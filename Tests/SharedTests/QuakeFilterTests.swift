import CoreData
import Foundation
import Testing

@testable import StrataQuakes

/// Filters in the store and in `StateFilter`.
final class QuakeFilterTests {
  private static let now = Date(timeIntervalSince1970: 1_700_000_000)

  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("filter-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Creates a store on disk, which filters in SQL, with earthquakes that differ in every filtered property.
  private func makeContext() throws -> NSManagedObjectContext {
    let container = try QuakesContainer.open(StoreLocation(folder: folder, isChosen: true), for: .writing)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for number in 0..<210 { fill(Quake(context: context), number) }
      try context.save()
    }
    return context
  }

  private func fill(_ quake: Quake, _ number: Int) {
    func pick<Value>(_ values: [Value], _ step: Int) -> Value { values[number / step % values.count] }
    quake.identifier = "us\(number)"
    quake.time = Self.now.addingTimeInterval(-Double(number) * 3600)
    quake.updated = Self.now.addingTimeInterval(-Double(number % 37) * 60)
    quake.magnitude = pick([nil, -0.4, 2.5, 4.5, 6.1, 7.8], 1).map(NSNumber.init(value:))
    quake.depth = pick([10, nil, 0, 35.5, 610, -1.2], 2).map(NSNumber.init(value:))
    quake.longitude = pick([179.9, -179.9, 0, 21.4, -120.5], 1)
    quake.latitude = pick([-21.2, 42, 89.9, -89.9, 0.5, 38], 3)
    quake.type = pick(["earthquake", "quarry blast", nil, "Ice Quake"], 1)
    quake.status = pick(["automatic", "reviewed", nil], 2)
    quake.network = pick(["us", "ci", "emsc"], 1)
    quake.service = pick(["usgs", "emsc"], 3)
    quake.place = pick(["12 km N of Pāhala, Hawaii", "Skopje", nil], 1)
    quake.title = pick(["M 4.5 - Fiji region", nil], 5)
    quake.felt = pick([nil, 0, 12], 2).map(NSNumber.init(value:))
    quake.horizontalError = pick([nil, 0.5, 2, 7.25], 3).map(NSNumber.init(value:))
    quake.nst = pick([nil, 8, 20], 1).map(NSNumber.init(value:))
    quake.locationSource = pick([nil, "ci", "US"], 2)
    quake.alert = pick([nil, "green", "yellow", "orange", "red"], 1)
    quake.mmi = pick([nil, 3.2, 7.4], 2).map(NSNumber.init(value:))
    quake.types = pick([nil, ",dyfi,origin,", ",trump-shakemap,", ",origin,shakemap,"], 1)
    quake.standing = Int16(pick([0, 0, 0, 1, 2, 3], 7))
  }

  private static func filter(_ change: (inout QuakeFilter) -> Void) -> QuakeFilter {
    var filter = QuakeFilter()
    change(&filter)
    return filter
  }

  static let filters =
    [
      filter { _ in },
      filter { $0.includesRetracted = true },
      filter { ($0.minimumMagnitude, $0.maximumMagnitude) = (2.5, 6) },
      filter { ($0.minimumDepth, $0.maximumDepth) = (0, 100) },
      filter { ($0.since, $0.until) = (now.addingTimeInterval(-500_000), now.addingTimeInterval(-90_000)) },
      filter { $0.type = "Earthquake" },
      filter { $0.type = "ice quake" },
      filter { $0.status = "REVIEWED" },
      filter { $0.source = "emsc" },
      filter { $0.source = "CI" },
      filter { $0.box = GeoBox("170,-30,-170,50") },
      filter { $0.box = GeoBox("170,-30,190,50") },
      filter { $0.box = GeoBox("-125,0,30,90") },
      filter { $0.circle = GeoCircle(latitude: -21, longitude: 180, radius: 300) },
      filter { $0.circle = GeoCircle(latitude: 89, longitude: 10, radius: 400) },
      filter { $0.circle = GeoCircle(latitude: 0, longitude: 0, radius: 30_000) },
      filter { $0.isFelt = true },
      filter { $0.alert = .yellow },
      filter { $0.limits = FieldLimit.list("horizontal_error<=2") ?? [] },
      filter { $0.limits = FieldLimit.list("horizontal_error_km > 0.5, stations>=10") ?? [] },
      filter { $0.limits = FieldLimit.list("location_source=us,stations=20") ?? [] },
      filter { $0.limits = FieldLimit.list("felt>=10,mmi>6") ?? [] },
      filter { $0.limits = FieldLimit.list("alert=Orange") ?? [] },
      filter { $0.limits = FieldLimit.list("alert<orange") ?? [] },
      filter { $0.limits = FieldLimit.list("products=ShakeMap") ?? [] },
      filter { $0.text = "pahala" },
      filter { $0.text = "fiji" },
      filter { ($0.minimumMagnitude, $0.isFelt, $0.text) = (4, true, "skopje") },
      filter { $0.combinations = [.any([filter { $0.text = "pahala" }, filter { $0.minimumMagnitude = 6 }])] },
      filter {
        $0.minimumMagnitude = 2
        $0.combinations = [
          .not(filter { $0.type = "earthquake" }),
          .any([filter { $0.combinations = [.not(filter { $0.status = "reviewed" })] }, filter { $0.isFelt = true }]),
        ]
      },
    ] + excluded.map { word in filter { $0.combinations = [.not(word)] } }

  /// Filters on values that are not known of all earthquakes.
  static let excluded = [
    filter { $0.minimumMagnitude = 4 }, filter { $0.maximumDepth = 30 }, filter { $0.type = "quarry blast" },
    filter { $0.status = "reviewed" }, filter { $0.isFelt = true }, filter { $0.alert = .yellow },
    filter { $0.text = "skopje" }, filter { $0.source = "ci" },
    filter { $0.limits = FieldLimit.list("location_source=us,stations>=10") ?? [] },
    filter { $0.limits = FieldLimit.list("alert<orange") ?? [] },
    filter { $0.limits = FieldLimit.list("products=ShakeMap") ?? [] },
  ]

  @Test(arguments: excluded) func `an exclusion matches what the filter does not`(_ word: QuakeFilter) throws {
    let context = try makeContext()
    try context.performAndWait {
      let others = Self.filter { $0.combinations = [.not(word)] }
      let counts = try [word, others, QuakeFilter()].map { try Quake.count($0, in: context) }
      #expect(counts[0] > 0 && counts[1] > 0 && counts[0] + counts[1] == counts[2])
    }
  }

  @Test(arguments: filters) func `the store and StateFilter match the same earthquakes`(_ filter: QuakeFilter) throws {
    let context = try makeContext()
    try context.performAndWait {
      var found: Set<String> = []
      try Quake.forEach(QuakeQuery(filter), in: context) { quake in
        found.insert(quake.identifier ?? "")
        return true
      }
      let states = StateFilter(filter)
      let matching = try context.fetch(Quake.fetchRequest()).filter { states.matches($0.state, of: $0.service) }
      #expect(found == Set(matching.compactMap(\.identifier)))
      #expect(!found.isEmpty && found.count < 210)
      #expect(try Quake.count(filter, in: context) == found.count)
    }
  }

  @Test(arguments: QuakeQuery.Order.allCases, [false, true])
  func `objects and states have the same order`(_ order: QuakeQuery.Order, _ isReversed: Bool) throws {
    let context = try makeContext()
    try context.performAndWait {
      let filter = Self.filter { $0.circle = GeoCircle(latitude: 40, longitude: 10, radius: 9000) }
      for limit in [0, 7] {
        let query = QuakeQuery(filter, order: order, isReversed: isReversed, limit: limit)
        var found: [Double] = []
        try Quake.forEach(query, in: context) { quake in
          found.append(key(quake.state, query))
          return true
        }
        let states = StateFilter(filter)
        let matching = try context.fetch(Quake.fetchRequest()).map(\.state).filter { states.matches($0, of: nil) }
        #expect(found == query.first(matching).map { key($0, query) })
        #expect(limit == 0 || found.count == limit)
      }
    }
  }

  private func key(_ state: QuakeState, _ query: QuakeQuery) -> Double {
    switch query.order {
    case .time: state.date(.time)?.timeIntervalSince1970 ?? -1e9
    case .updated: state.date(.updated)?.timeIntervalSince1970 ?? -1e9
    case .magnitude: state.number(.magnitude) ?? -1e9
    case .depth: state.number(.depth) ?? -1e9
    case .distance:
      query.filter.circle?.distance(
        latitude: state.number(.latitude) ?? 0, longitude: state.number(.longitude) ?? 0) ?? 0
    }
  }

  @Test func `filter steps name the condition that matches nothing`() throws {
    let context = try makeContext()
    try context.performAndWait {
      let steps = try Self.filter { ($0.minimumMagnitude, $0.isFelt) = (9, true) }.steps(in: context)
      #expect(steps.map(\.words) == ["", "listed", "of magnitude 9.0 and above"])
      #expect(steps.first?.count == 210 && steps.last?.count == 0)
      let others = Self.filter { $0.text = "skopje" }
      let combined = try Self.filter { filter in
        filter.combinations = [
          .any([others, Self.filter { $0.combinations = [.not(others)] }]),
          .not(Self.filter { ($0.text, $0.isFelt) = ("x", true) }),
          .not(QuakeFilter()),
        ]
      }.steps(in: context)
      #expect(
        combined.dropFirst(2).map(\.words) == [
          "named \"skopje\" or (not named \"skopje\")", "not (felt and named \"x\")", "not ()",
        ])
    }
  }

  @Test(arguments: [
    "", ",", "horizontal_error", "horizontal_error<=", "horizontal_error<=x", "horizontal_error<=nan", "errors<=2",
    "location_source>=us", "location_source=", "time>=2", "standing=0", "nearest_city=Tokyo", "stations>=2,x",
    "alert=blue", "alert>=", "products>=dyfi", "products=",
  ])
  func `an invalid limit of a field is refused`(_ text: String) {
    #expect(FieldLimit.list(text) == nil)
  }

  @Test func `a limit of a field is written as it is read`() throws {
    let limits = try #require(FieldLimit.list("horizontal_error <= 2.50,stations>10, location_source=US"))
    #expect(limits.map(\.text) == ["horizontal_error_km<=2.5", "stations>10", "location_source=US"])
    #expect(FieldLimit.list("location_source==US,stations==20") == FieldLimit.list("location_source=US,stations=20"))
    #expect(FieldLimit.list(limits.map(\.text).joined(separator: ",")) == limits)
    let others = try #require(FieldLimit.list("felt>=100,mmi>6,alert>=Yellow,products=shakemap"))
    #expect(
      others.map(\.text) == [
        "felt_reports>=100", "computed_intensity>6", "alert>=yellow", "products=shakemap",
      ])
  }

  @Test(arguments: [
    (">=", ["yellow", "orange", "red"]), (">", ["orange", "red"]), ("=", ["yellow"]), ("<", ["green"]),
    ("<=", ["green", "yellow"]),
  ])
  func `levels of alerts have an order`(_ sign: String, _ levels: [String]) {
    #expect(AlertLevel.yellow.levels(sign).sorted() == levels.sorted())
  }

  @Test(arguments: ["", "1,2,3", "1,2,3,x", "0,10,5,-10", "0,-91,5,0", "nan,0,1,1", "400,0,1,1"])
  func `an invalid box is refused`(_ text: String) {
    #expect(GeoBox(text) == nil)
  }

  @Test func `the box of a circle contains the circle`() throws {
    for latitude in stride(from: -90.0, through: 90, by: 7.5) {
      for radius in [0, 1, 100, 2000, 11_000, 25_000.0] {
        let circle = try #require(GeoCircle(latitude: latitude, longitude: 175, radius: radius))
        let box = circle.box
        for north in stride(from: -90.0, through: 90, by: 3) {
          for east in stride(from: -180.0, through: 180, by: 5)
          where circle.contains(latitude: north, longitude: east) {
            let isBetween = box.west <= box.east ? box.west...box.east ~= east : east >= box.west || east <= box.east
            #expect(isBetween && box.south...box.north ~= north, "\(circle) \(north) \(east)")
          }
        }
      }
    }
  }
}
