import Foundation
import StrataTestSupport
import SwiftData
import Synchronization
import Testing

/// Stores of older versions of a schema.
@Suite struct MigrationPlanTests {
  private let folder: TemporaryFolder
  private var configuration: ModelConfiguration { ModelConfiguration(url: folder.url("Guests.store")) }

  init() throws { folder = try TemporaryFolder() }

  private func makeStore(_ names: [String]) throws {
    let context = ModelContext(
      try ModelContainer(for: Schema(versionedSchema: GuestsV1.self), configurations: configuration))
    for name in names { context.insert(GuestsV1.Guest(name: name)) }
    try context.save()
  }

  private func open() throws -> ModelContainer {
    try ModelContainer(for: GuestsV3.Guest.self, migrationPlan: GuestsPlan.self, configurations: configuration)
  }

  private func guests() throws -> [GuestsV3.Guest] {
    try ModelContext(open()).fetch(FetchDescriptor(sortBy: [SortDescriptor(\.fullName)]))
  }

  @Test func `a store of the first version goes through all stages`() throws {
    try makeStore(["Ada", "Ada", "Grace"])
    let guests = try guests()
    #expect(guests.map(\.fullName) == ["Ada", "Grace"] && guests.map(\.initial) == ["A", "G"])
    #expect(guests.map(\.nights) == [1, 1] && guests[0].persistentModelID.entityName == "Guest")
    #expect(try self.guests().count == 2)
  }

  @Test func `a store of the second version goes through the last stage alone`() throws {
    let context = ModelContext(
      try ModelContainer(for: Schema(versionedSchema: GuestsV2.self), configurations: configuration))
    let guest = GuestsV2.Guest(name: "Ada")
    guest.nights = 7
    context.insert(guest)
    try context.save()
    #expect(try guests().map(\.nights) == [7] && guests().map(\.initial) == ["A"])
  }

  @Test func `a lightweight stage gives new properties their initial values`() throws {
    try makeStore(["Ada"])
    let container = try ModelContainer(
      for: GuestsV2.Guest.self, migrationPlan: LightGuestsPlan.self, configurations: configuration)
    let guest = try #require(try ModelContext(container).fetch(FetchDescriptor<GuestsV2.Guest>()).first)
    #expect(guest.name == "Ada" && guest.nights == 1)
  }

  @Test func `a new store needs no migration`() throws {
    let container = try open()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<GuestsV3.Guest>()) == 0)
    #expect(container.migrationPlan != nil && container.schema.entities.map(\.name) == ["Guest"])
  }

  @Test func `several contexts of several containers open an old store at once`() async throws {
    try makeStore((0..<50).map { "Guest \($0)" })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          try #expect(guests().count == 50)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a stage that fails leaves the store as it was`() throws {
    try makeStore(["Ada"])
    #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try ModelContainer(
        for: GuestsV2.Guest.self, migrationPlan: FailingGuestsPlan.self, configurations: configuration)
    }
    let context = ModelContext(
      try ModelContainer(for: Schema(versionedSchema: GuestsV1.self), configurations: configuration))
    #expect(try context.fetch(FetchDescriptor<GuestsV1.Guest>()).map(\.name) == ["Ada"])
  }

  @Test func `a stage that fails after the changes of the store has the new version`() throws {
    try makeStore(["Ada"])
    #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try ModelContainer(
        for: GuestsV2.Guest.self, migrationPlan: LateFailingGuestsPlan.self, configurations: configuration)
    }
    let container = try ModelContainer(
      for: GuestsV2.Guest.self, migrationPlan: LateFailingGuestsPlan.self, configurations: configuration)
    #expect(try ModelContext(container).fetch(FetchDescriptor<GuestsV2.Guest>()).map(\.name) == ["Ada"])
  }

  @Test func `an unknown version is an error that leaves the store as it was`() throws {
    let context = ModelContext(try ModelContainer(for: OtherGuests.Guest.self, configurations: configuration))
    context.insert(OtherGuests.Guest())
    try context.save()
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try open() }
    #expect("\(error.map { "\($0)" } ?? "")".contains("no stage leads from its version"))
    #expect(try context.fetchCount(FetchDescriptor<OtherGuests.Guest>()) == 1)
  }

  @Test func `a later version cannot be opened by an earlier program`() throws {
    _ = try open()
    #expect(throws: SwiftDataError.backwardMigration) {
      try ModelContainer(for: GuestsV1.Guest.self, migrationPlan: GuestsPlan.self, configurations: configuration)
    }
  }

  @Test func `a container has no models of another version's class with the same name`() throws {
    try makeStore(["Ada"])
    let context = ModelContext(
      try ModelContainer(for: Schema(versionedSchema: GuestsV1.self), configurations: configuration))
    #expect(throws: SwiftDataError.unknownSchema) { try context.fetch(FetchDescriptor<GuestsV2.Guest>()) }
    #expect(throws: SwiftDataError.unknownSchema) { try context.delete(model: GuestsV2.Guest.self) }
    #expect(try context.fetchCount(FetchDescriptor<GuestsV1.Guest>()) == 1)
  }

  @Test func `versions are compared and schemas have them`() {
    #expect(Schema(versionedSchema: GuestsV2.self).version == Schema.Version(2, 0, 0))
    #expect(GuestsV1.versionIdentifier < GuestsV3.versionIdentifier)
  }
}

enum GuestsV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Guest.self] }

  @Model final class Guest {
    var name: String

    init(name: String) { self.name = name }
  }
}

/// The name is unique.
enum GuestsV2: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  static var models: [any PersistentModel.Type] { [Guest.self] }

  @Model final class Guest {
    @Attribute(.unique) var name: String
    var nights: Int = 1

    init(name: String) { self.name = name }
  }
}

/// The name has another name, and there is an initial, which the migration fills in.
enum GuestsV3: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
  static var models: [any PersistentModel.Type] { [Guest.self] }

  @Model final class Guest {
    @Attribute(.unique, originalName: "name") var fullName: String
    var nights: Int = 1
    var initial: String = ""

    init(fullName: String) { self.fullName = fullName }
  }
}

enum GuestsPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [GuestsV1.self, GuestsV2.self, GuestsV3.self] }

  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: GuestsV1.self, toVersion: GuestsV2.self,
        willMigrate: { context in
          var names: Set<String> = []
          for guest in try context.fetch(FetchDescriptor<GuestsV1.Guest>()) where !names.insert(guest.name).inserted {
            context.delete(guest)
          }
          try context.save()
        }, didMigrate: nil),
      .custom(
        fromVersion: GuestsV2.self, toVersion: GuestsV3.self, willMigrate: nil,
        didMigrate: { context in
          for guest in try context.fetch(FetchDescriptor<GuestsV3.Guest>()) {
            guest.initial = String(guest.fullName.prefix(1))
          }
          try context.save()
        }),
    ]
  }
}

enum LightGuestsPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [GuestsV1.self, GuestsV2.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: GuestsV1.self, toVersion: GuestsV2.self)] }
}

enum FailingGuestsPlan: SchemaMigrationPlan {
  struct Failure: Error {}

  static var schemas: [any VersionedSchema.Type] { [GuestsV1.self, GuestsV2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: GuestsV1.self, toVersion: GuestsV2.self, willMigrate: { _ in throw Failure() }, didMigrate: nil)
    ]
  }
}

enum LateFailingGuestsPlan: SchemaMigrationPlan {
  struct Failure: Error {}

  static var schemas: [any VersionedSchema.Type] { [GuestsV1.self, GuestsV2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: GuestsV1.self, toVersion: GuestsV2.self, willMigrate: nil, didMigrate: { _ in throw Failure() })
    ]
  }
}

enum OtherGuests {
  @Model final class Guest {
    var other: Int = 0

    init() {}
  }
}
