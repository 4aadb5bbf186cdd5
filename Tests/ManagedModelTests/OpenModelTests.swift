import Foundation
import StrataFormats
import StrataManagedModel
import StrataTestSupport
import Testing

/// Incomplete and contradictory models built in code.
@Suite struct OpenModelTests {
  @Test func `objects lack a relationship without a destination in the model`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let nowhere = NSRelationshipDescription()
      nowhere.name = "nowhere"
      let ant = makeEntity("Ant", [attribute("legs", .integer16), nowhere])
      nowhere.destinationEntity = makeEntity("Bee")
      let model = makeModel([ant])
      model.freeze()
      #expect(model.layouts[0].slots.map(\.name) == ["legs"] && model.layouts[0].toMany.isEmpty)
      #expect(nowhere.destinationEntity == nil)
      #expect((try? ModelArchive.bytes(of: model)) != nil)
    }
    #expect(result.errorText.contains("The relationship 'Ant.nowhere' has no destination in the model"))
  }

  @Test func `an inverse set on one side applies to both`() {
    let (ant, nest) = (makeEntity("Ant"), makeEntity("Nest"))
    let (home, ants) = (relationship("home", to: nest, max: 1), relationship("ants", to: ant, max: 0))
    home.inverseRelationship = ants
    (ant.properties, nest.properties) = ([home], [ants])
    let model = makeModel([ant, nest])
    let hashes = model.entityVersionHashesByName
    model.freeze()
    #expect(ants.inverseRelationship === home && home.inverseRelationship === ants)
    #expect(model.layouts[0].slots[0].inverse == .toMany(0) && model.layouts[1].toMany[0].inverse == .slot(0))
    #expect(model.entityVersionHashesByName == hashes, "The hash does not include the added inverse.")
  }

  @Test func `a one-sided inverse is ignored`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (ant, nest) = (makeEntity("Ant"), makeEntity("Nest"))
      let (home, ants) = (relationship("home", to: nest, max: 1), relationship("ants", to: ant, max: 0))
      let second = relationship("second", to: nest, max: 1)
      (home.inverseRelationship, ants.inverseRelationship, second.inverseRelationship) = (ants, home, ants)
      (ant.properties, nest.properties) = ([home, second], [ants])
      makeModel([ant, nest]).freeze()
    }
    #expect(result.errorText.contains("'Ant.second' names 'ants' as its inverse, which has another inverse"))
  }

  @Test func `an entity without a class and an empty model are valid`() {
    let ant = makeEntity("Ant")
    ant.managedObjectClassName = nil
    makeModel([ant]).freeze()
    makeModel([]).freeze()
    #expect(ant.managedObjectClassName == nil)
  }

  @Test func `user info keys may have equal descriptions`() {
    let legs = attribute("legs", .integer16)
    legs.userInfo = [1: "one", "1": "other"]
    #expect(NSPredicate(format: "userInfo != nil").evaluate(with: legs))
  }

  @Test func `an archive with a contradiction is refused as damaged`() throws {
    for model in [
      makeModel([makeEntity("Ant", [attribute("a", .undefined)])]), makeModel([makeEntity("")]),
      makeModel([makeEntity("Ant", [attribute("a"), attribute("a", .double)])]),
    ] {
      guard let bytes = try? model.cache() else { continue }
      #expect(throws: FileFormatError.self) { try NSManagedObjectModel.model(cache: bytes, file: "Test.mom") }
    }
  }
}
