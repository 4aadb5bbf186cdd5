import Foundation
import StrataTestSupport
import SwiftData
import Testing

@Suite struct InsertionTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    container = try ModelContainer(
      for: Team.self, configurations: ModelConfiguration(url: folder.url("Teams.store")))
    context = ModelContext(container)
  }

  private func storedNames() throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor(sortBy: [SortDescriptor(\Player.name)])).map(\.name)
  }

  // MARK: Relationships

  @Test func `an insertion keeps members that another relationship has led to first`() throws {
    let team = Team(name: "Reds")
    let captain = Player(name: "Ada")
    captain.team = team
    team.captain = captain
    context.insert(team)
    #expect(captain.team === team && team.players == [captain])
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Team>()).first?.players.map(\.name) == ["Ada"])
  }

  @Test func `new members keep the order in which they were added`() throws {
    let team = Team(name: "Reds")
    let players = (0..<30).map { Player(name: "\($0)") }
    team.players = players
    context.insert(team)
    #expect(team.players == players)
    try context.save()
    #expect(team.players == players)
  }

  // MARK: Again

  @Test func `a model whose insertion was rolled back can be inserted again`() throws {
    let player = Player(name: "Ada")
    player.number = 3
    context.insert(player)
    context.rollback()
    #expect(player.modelContext == nil && player.name == "Ada" && player.number == 3)
    context.insert(player)
    #expect(player.modelContext === context && player.number == 3)
    try context.save()
    #expect(try storedNames() == ["Ada"])
  }

  @Test func `a relationship to a model whose insertion was rolled back inserts it again`() throws {
    let (player, team) = (Player(name: "Ada"), Team(name: "Reds"))
    context.insert(player)
    context.rollback()
    context.insert(team)
    team.players = [player]
    try context.save()
    #expect(try storedNames() == ["Ada"] && player.team === team)
  }

  @Test(arguments: [[false, false], [false, true], [true, false], [true, true]])
  func `a deleted model can be inserted again`(saves: [Bool]) throws {
    let player = Player(name: "Ada")
    context.insert(player)
    if saves[0] { try context.save() }
    context.delete(player)
    if saves[1] { try context.save() }
    context.insert(player)
    #expect(player.name == "Ada" && !player.isDeleted)
    try context.save()
    #expect(try storedNames() == ["Ada"])
  }

  @Test func `inserting a model of another context stops the program`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let container = try ModelContainer(
        for: Team.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
      let (first, second, player) = (ModelContext(container), ModelContext(container), Player(name: "Ada"))
      first.insert(player)
      second.insert(player)
    }
    #expect(result.errorText.contains("Player is in another context already"))
  }

  // MARK: Unique values

  @Test func `changes of a model that took the place of a saved one are saved`() throws {
    let first = Player(name: "Ada")
    context.insert(first)
    try context.save()
    let other = ModelContext(container)
    for context in [context, other] {
      let second = Player(name: "Ada")
      second.number = 3
      context.insert(second)
      try context.save()
      #expect(second.modelContext === context && second.persistentModelID == first.persistentModelID)
      second.number = 4
      try context.save()
      #expect(try ModelContext(container).fetch(FetchDescriptor<Player>()).map(\.number) == [4])
    }
  }

  @Test func `of two new models with the same unique value, the save keeps the later one`() throws {
    for number in 1...2 {
      let player = Player(name: "Ada")
      player.number = number
      context.insert(player)
    }
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Player>()).map(\.number) == [2])
  }

  @Test func `a model takes the place of the saved one by the constraint whose values it has`() throws {
    let container = try ModelContainer(
      for: Voucher.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    for name in ["A", "B"] { context.insert(Voucher(name: name)) }
    try context.save()
    let second = Voucher(name: "B")
    context.insert(second)
    try context.save()
    #expect(second.name == "B")
    second.uses = 2
    try context.save()
    let saved = try ModelContext(container).fetch(FetchDescriptor(sortBy: [SortDescriptor(\Voucher.name)]))
    #expect(saved.map(\.uses) == [1, 2])
  }

  // MARK: Initial values

  @Test func `optional numbers have their initial values before the insertion`() {
    let voucher = Voucher(name: "A")
    #expect(voucher.uses == 1 && voucher.isUsed == false && voucher.share == 0.5 && voucher.note == "new")
    voucher.uses = nil
    #expect(voucher.uses == nil && voucher.code == nil)
  }

  // MARK: Tasks

  @Test func `sixteen tasks insert and fetch in contexts of one container`() async throws {
    let container = container
    await withTaskGroup { group in
      for task in 0..<16 {
        group.addTask {
          let (context, team) = (ModelContext(container), Team(name: "\(task)"))
          context.insert(team)
          for number in 0..<10 {
            team.players.append(Player(name: "\(task)-\(number)"))
            #expect(throws: Never.self) { try context.save() }
            #expect(throws: Never.self) { try context.fetch(FetchDescriptor<Player>()) }
            #expect(team.players.count == number + 1)
          }
        }
      }
    }
    #expect(try context.fetchCount(FetchDescriptor<Player>()) == 160)
  }
}

@Model final class Team {
  var name: String
  var captain: Player?
  @Relationship(inverse: \Player.team) var players: [Player] = []

  init(name: String) { self.name = name }
}

@Model final class Player {
  @Attribute(.unique) var name: String
  var number: Int?
  var team: Team?

  init(name: String) { self.name = name }
}

@Model final class Voucher {
  @Attribute(.unique) var code: Int?
  @Attribute(.unique) var name: String
  var uses: Int? = 1
  var isUsed: Bool? = false
  var share: Double? = 0.5
  var note: String? = "new"

  init(name: String) { self.name = name }
}
