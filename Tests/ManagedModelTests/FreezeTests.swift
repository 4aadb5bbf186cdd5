import Foundation
import StrataManagedModel
import StrataTestSupport
import Testing

@Suite struct FreezeTests {
  /// Entities whose order differs from the order of their numbers: `bird` > `Crow`, `albatross`; `Ant`; `zebra`.
  private let model: NSManagedObjectModel = {
    let crow = makeEntity("Crow", [attribute("age", .integer16)])
    let albatross = makeEntity("albatross")
    let bird = makeEntity(
      "bird", [attribute("wing", .double), attribute("Beak")], subentities: [crow, albatross])
    let zebra = makeEntity("zebra", [attribute("stripes", .integer32)])
    let ant = makeEntity("Ant")
    let keeper = relationship("keeper", to: ant, max: 1)
    let prey = relationship("prey", to: ant, max: 0)
    bird.properties = bird.properties + [keeper, prey]
    crow.properties = [attribute("age", .integer16), relationship("nests", to: ant, max: 0)]
    return makeModel([zebra, crow, bird, ant, albatross])
  }()

  private func layout(_ name: String) throws -> EntityLayout { try #require(model.entitiesByName[name]?.layout) }

  @Test func `entities are numbered depth-first, siblings case-insensitively`() {
    model.freeze()
    #expect(model.layouts.map(\.name) == ["Ant", "bird", "albatross", "Crow", "zebra"])
    #expect(model.layouts.map(\.number) == [1, 2, 3, 4, 5])
    #expect(model.layouts.map(\.rootNumber) == [1, 2, 2, 2, 5])
    #expect((1...5).allSatisfy { model.layout(number: $0).number == $0 })
  }

  @Test func `slots begin with the parent's slots`() throws {
    model.freeze()
    let bird = try layout("bird")
    #expect(bird.slots.map(\.name) == ["Beak", "keeper", "wing"])
    #expect(bird.slots.map(\.kind) == [.string, .toOne, .double])
    #expect(try layout("albatross").slots.map(\.name) == ["Beak", "keeper", "wing"])
    #expect(try layout("Crow").slots.map(\.name) == ["Beak", "keeper", "wing", "age"])
    #expect(try layout("Crow").toMany.map(\.name) == ["prey", "nests"])
    #expect(try layout("Crow").slot(named: "age") == 3)
    #expect(try layout("Crow").toMany(named: "nests") == 1)
    #expect(try layout("bird").slot(named: "age") == nil)
    #expect(try layout("Crow").slot(named: "nests") == nil)
  }

  @Test func `a layout counts the words of a row`() throws {
    model.freeze()
    let wide = makeEntity("Wide", (0..<65).map { attribute("a\($0)", .integer64) })
    let widened = makeModel([wide])
    widened.freeze()
    #expect(widened.layouts[0].nullWords == 2)
    #expect(widened.layouts[0].firstSlotWord == 4)
    #expect(widened.layouts[0].stride == 4 + 65)
    #expect(try layout("Ant").nullWords == 1)
    #expect(try layout("Ant").stride == 3)
  }

  @Test func `a family contains the entity and its descendants`() throws {
    model.freeze()
    #expect(try layout("bird").subtreeNumbers.sorted() == [2, 3, 4])
    #expect(try layout("Crow").subtreeNumbers == [4])
  }

  @Test func `freezing twice has no effect`() throws {
    #expect(!model.isFrozen)
    model.freeze()
    let serials = model.layouts.map(\.serial)
    model.freeze()
    #expect(model.isFrozen)
    #expect(model.layouts.map(\.serial) == serials)
    #expect(Set(serials).count == 5)
  }

  @Test func `subentities have inherited properties`() throws {
    let crow = try #require(model.entitiesByName["Crow"])
    let bird = try #require(model.entitiesByName["bird"])
    #expect(Set(crow.propertiesByName.keys) == ["Beak", "wing", "keeper", "prey", "age", "nests"])
    #expect(Set(crow.attributesByName.keys) == ["Beak", "wing", "age"])
    #expect(Set(crow.relationshipsByName.keys) == ["keeper", "prey", "nests"])
    #expect(crow.propertiesByName["wing"] === bird.propertiesByName["wing"])
    #expect(crow.propertiesByName["wing"]?.entity === bird)
    #expect(crow.superentity === bird && crow.rootEntity === bird)
    #expect(crow.isKindOf(entity: bird) && !bird.isKindOf(entity: crow))
  }

  @Test func `changing a frozen model stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let ant = makeEntity("Ant")
      let model = makeModel([ant])
      model.freeze()
      withExtendedLifetime(model) { ant.name = "Bee" }
    }
  }

  @Test func `contradictions in a model stop the program`() async {
    await #expect(processExitsWith: .failure) { makeModel([makeEntity("Ant"), makeEntity("Ant")]).freeze() }
    await #expect(processExitsWith: .failure) {
      makeModel([makeEntity("Ant", [attribute("a"), attribute("a", .double)])]).freeze()
    }
    await #expect(processExitsWith: .failure) { makeModel([makeEntity("Ant", [attribute("a", .undefined)])]).freeze() }
  }

  @Test func `configurations contain some of the entities`() throws {
    let ant = try #require(model.entitiesByName["Ant"])
    model.setEntities([ant], forConfigurationName: "Small")
    #expect(model.configurations == ["Small"])
    #expect(model.entities(forConfigurationName: "Small") == [ant])
    #expect(model.entities(forConfigurationName: nil)?.count == 5)
    #expect(model.entities(forConfigurationName: "PF_DEFAULT_CONFIGURATION_NAME")?.count == 5)
    #expect(model.entities(forConfigurationName: "Large") == nil)
  }
}
