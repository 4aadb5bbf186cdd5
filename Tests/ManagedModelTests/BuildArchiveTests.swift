import Foundation
import StrataFormats
import StrataManagedModel
import StrataModelSource
import StrataPredicates
import StrataTestSupport
import Testing

/// The archive that a build creates without the framework's classes, compared with the model that the framework reads.
@Suite struct BuildArchiveTests {
  private static let source = """
    <entity name="Event" isAbstract="YES" versionHashModifier="2">
      <attribute name="code" attributeType="String" minValueString="1" regularExpressionString="[a-z]&quot;\\d+"/>
      <attribute name="note" optional="YES" transient="YES" attributeType="String"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint>
      </uniquenessConstraints>
    </entity>
    <entity name="Quake" parentEntity="Event" elementID="Shock">
      <attribute name="depth" optional="YES" attributeType="Double" defaultValueString="3.5" maxValueString="700"/>
      <attribute name="felt" attributeType="Float" defaultValueString="0.1" minValueString="0.1"/>
      <attribute name="price" attributeType="Decimal" defaultValueString="10.50" minValueString="1.10"/>
      <attribute name="image" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"
        preserveAfterDeletion="YES"/>
      <attribute name="time" attributeType="Date" defaultDateTimeInterval="700000000" minDateTimeInterval="0.1234567"/>
      <attribute name="id" attributeType="UUID" defaultValueString="da5e8db2-7c5b-4f0e-8a5e-7c5b4f0e8a5e"/>
      <attribute name="web" attributeType="URI" defaultValueString="https://a.example/b"/>
      <attribute name="isNew" attributeType="Boolean" defaultValueString="YES" indexed="YES"/>
      <relationship name="region" optional="YES" maxCount="1" destinationEntity="Region" inverseName="quakes"
        inverseEntity="Region"/>
      <relationship name="next" optional="YES" maxCount="1" destinationEntity="Quake" inverseName="next"/>
      <fetchedProperty name="near"><fetchRequest name="near" entity="Quake" predicateString="depth &gt; 3"/>
      </fetchedProperty>
      <fetchIndex name="byDepth" partialIndexPredicate="depth &gt; 5">
        <fetchIndexElement property="depth" order="descending"/>
        <fetchIndexElement expression="uppercase:(code)" expressionType="String"/></fetchIndex>
      <compoundIndexes><compoundIndex><index value="depth"/><index value="time"/></compoundIndex></compoundIndexes>
      <userInfo><entry key="note" value="text"/></userInfo>
    </entity>
    <entity name="Region">
      <relationship name="quakes" optional="YES" toMany="YES" ordered="YES" minCount="1" maxCount="9"
        deletionRule="Cascade" destinationEntity="Quake" inverseName="region" inverseEntity="Quake"/>
    </entity>
    <entity name="Summary">
      <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES"
        derivationExpression="quakes.@count"/>
      <relationship name="quakes" optional="YES" toMany="YES" destinationEntity="Quake"/>
    </entity>
    <fetchRequest name="Deep" entity="Quake" fetchLimit="7" resultType="2"
      predicateString="depth &gt; 3 AND code IN {'a', 'b'}"/>
    <configuration name="Places"><memberEntity name="Region"/></configuration>
    """

  /// Returns the models of a document: from the build's archive, and as the framework reads the document.
  private func archives(
    of document: ModelDocument
  ) throws -> (build: NSManagedObjectModel, framework: NSManagedObjectModel) {
    var assembly = ModelAssembly(document, module: "App")
    let bytes = try assembly.archive(hashes: document.hashes())
    return (try ModelArchive.model(bytes), try document.makeModel(module: "App").model)
  }

  @Test func `a build and the framework create the same model`() throws {
    let (build, framework) = try archives(of: document(Self.source))
    #expect(build == framework)
    #expect(try ModelArchive.bytes(of: build) == ModelArchive.bytes(of: framework))
  }

  @Test func `a build computes every version hash that does not need a parser`() throws {
    let document = try document(Self.source)
    let model = try document.makeModel().model
    var expected = model.entityVersionHashesByName
    expected["Summary"] = nil
    #expect(document.hashes().mapValues { Data($0) } == expected)
  }

  @Test func `hashes in an archive and hashes of its contents are equal`() throws {
    let (build, _) = try archives(of: document(Self.source))
    let archived = build.entityVersionHashesByName
    build.archivedHashesAreValid = false
    #expect(archived == build.entityVersionHashesByName)
  }

  @Test func `a build and the framework agree on changed documents`() throws {
    let bytes = ManagedModelTests.source(Self.source)
    var random = SeededRandom(seed: 44)
    var count = 0
    for _ in 0..<400 {
      var copy = bytes
      // A letter or a digit, so that most copies can be read.
      for _ in 0..<3 {
        copy[Int.random(in: copy.indices, using: &random)] = "aYE019.SN".utf8.randomElement(using: &random) ?? 0
      }
      guard let document = try? ModelDocument(contents: copy, file: "contents"),
        let framework = try? document.makeModel().model
      else { continue }
      var assembly = ModelAssembly(document, module: nil)
      let build = try ModelArchive.model(assembly.archive(hashes: document.hashes()))
      let archived = build.entityVersionHashesByName
      build.archivedHashesAreValid = false
      #expect(build == framework)
      #expect(archived == build.entityVersionHashesByName)
      count += 1
    }
    #expect(count > 50)
  }

  @Test func `reading an archive skips invalid predicates with a warning`() throws {
    let document = try document(
      """
      <entity name="E"><attribute name="a" attributeType="Integer 64"/>
        <attribute name="d" attributeType="Integer 64" derived="YES" derivationExpression="sum:("/>
        <fetchedProperty name="f"><fetchRequest name="f" entity="E" predicateString="a =="/></fetchedProperty>
        <fetchIndex name="i" partialIndexPredicate="a &gt;"><fetchIndexElement expression="upper:(" />
          <fetchIndexElement property="a"/></fetchIndex>
      </entity>
      <fetchRequest name="G" entity="E" predicateString="a =="/>
      <fetchRequest name="H" entity="E" predicateString="a == 1"/>
      """)
    var assembly = ModelAssembly(document, module: nil)
    let model = NSManagedObjectModel()
    let warnings = try ModelArchive.read(assembly.archive(), into: model)
    let starts = [
      "the derivation of d is left out", "the fetched property f is left out",
      "the predicate of the index i is left out",
      "an element of the index i is left out", "the fetch request G is left out",
    ]
    for start in starts { #expect(warnings.contains { $0.hasPrefix(start) }) }
    #expect(warnings.count == starts.count)
    #expect(model == (try document.makeModel().model))
    #expect(model.fetchTemplates.keys.sorted() == ["H"])
  }

  @Test func `a path through an attribute that is not composite is refused`() {
    let attributes = """
      <entity name="E"><attribute name="a" attributeType="String" composite="C"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="a.x"/></uniquenessConstraint></uniquenessConstraints>
      </entity><composite name="C"><attribute name="x" attributeType="String"/></composite>
      """
    #expect(problem(attributes).hasSuffix("names the property a.x, which does not exist"))
  }

  @Test(.endsEventually)
  func `hashes of a hundred generations of entities equal the model's`() throws {
    let entities = (1...100).map { number in
      let parent = number == 1 ? "" : " parentEntity=\"E\(number - 1)\""
      return "<entity name=\"E\(number)\"\(parent)><attribute name=\"a\(number)\" attributeType=\"String\"/></entity>"
    }
    let document = try document(entities.joined())
    let hashes = document.hashes()
    #expect(hashes.count == 100)
    let model = try document.makeModel().model
    withExtendedLifetime(model) {
      #expect(hashes["E100"].map { Data($0) } == model.entitiesByName["E100"]?.versionHash)
    }
  }

  @Test(arguments: [
    "quakes.@count", "a.b.@count", "quakes.@sum.depth", "a.quakes.@sum.depth.value", "region.name", "name",
    "count:(quakes)", "sum:(quakes.depth)", "canonical:(title)", "now()", "a + b", "quakes . @count", "größe.@count",
    "#first.@count", "(quakes.@count)", "((region.name))",
  ])
  func `a build rewrites counts like the parser`(_ text: String) throws {
    let parsed = try PredicateParser.expression(text).countingByFunction
    let document = try document(
      """
      <entity name="E"><attribute name="d" attributeType="Double" derived="YES" derivationExpression="\(text)"/></entity>
      """)
    let model = try document.makeModel().model
    let derived = try #require(model.entities[0].attributesByName["d"] as? NSDerivedAttributeDescription)
    #expect(derived.givenDerivation?.description == parsed.description)
  }
}
