import ManagedModel
import Testing

/// What is wrong with a model's source is said with file and line.
@Suite struct ModelSourceErrorTests {
  @Test func unknownWordsAreWarnings() throws {
    let (_, warnings) = try document(
      """
      <entity name="E" colour="red">
          <attribute name="a" attributeType="String"
              shape="round"/>
          <note/>
      </entity>
      <configuration name="C"><memberEntity name="Gone"/></configuration>
      """
    ).makeModel()
    #expect(
      Set(warnings.map(\.description)) == [
        "contents:2: warning: <entity> has an unknown attribute colour=\"red\"",
        "contents:4: warning: <attribute> has an unknown attribute shape=\"round\"",
        "contents:5: warning: <entity> has an unknown element <note>",
        "contents:7: warning: the configuration C names the entity Gone, which is not there",
      ])
  }

  @Test func valuesThatBoundNothingAreWarnings() throws {
    let (model, warnings) = try document(
      """
      <entity name="E"><attribute name="d" attributeType="Date" minValueString="12/4/2013"/>
      <attribute name="b" attributeType="Binary" defaultValueString="x"/></entity>
      """
    ).makeModel()
    #expect(
      warnings.map(\.description) == [
        "contents:2: warning: the bound \"12/4/2013\" of d says no seconds and bounds nothing",
        "contents:3: warning: b is a Binary, which has no default in a file",
      ])
    #expect(model.entities[0].attributesByName["d"]?.validationPredicates.isEmpty == true)
  }

  @Test(arguments: [
    ("<entity/>", "contents:2: error: <entity> needs the attribute name"),
    ("<entity name=\"E\"/>\n<entity name=\"E\"/>", "contents:3: error: there are two entities E"),
    (
      "<entity name=\"E\" isAbstract=\"maybe\"/>", "contents:2: error: isAbstract is YES or NO, found \"maybe\""
    ),
    (
      "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Number\"/></entity>",
      "contents:2: error: attributeType is a type such as \"Integer 64\" or \"String\", found \"Number\""
    ),
    (
      "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Double\" defaultValueString=\"x\"/></entity>",
      "contents:2: error: the default of a is a number, found \"x\""
    ),
    (
      "<entity name=\"E\"><attribute name=\"a\" attributeType=\"String\" minValueString=\"x\"/></entity>",
      "contents:2: error: a length of a is a whole number, found \"x\""
    ),
    (
      "<entity name=\"E\"><relationship name=\"r\" maxCount=\"1\" destinationEntity=\"F\"/></entity>",
      "contents:2: error: the relationship E.r names the entity F, which is not there"
    ),
    (
      "<entity name=\"E\"><relationship name=\"r\" maxCount=\"1\" deletionRule=\"Maybe\" destinationEntity=\"E\"/></entity>",
      "contents:2: error: deletionRule is Nullify, Cascade, Deny or No Action, found \"Maybe\""
    ),
    (
      "<entity name=\"A\" parentEntity=\"B\"/>\n<entity name=\"B\" parentEntity=\"A\"/>",
      "contents:3: error: B inherits from itself"
    ),
    (
      "<entity name=\"E\"><attribute name=\"a\" attributeType=\"String\"/><attribute name=\"a\"/></entity>",
      "contents:2: error: E has two properties a"
    ),
    (
      "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Composite\" composite=\"C\"/></entity>",
      "contents:2: error: a names the composite C, which is not there"
    ),
    (
      """
      <entity name="E"><attribute name="a" attributeType="Composite" composite="C"/></entity>
      <composite name="C"><attribute name="b" attributeType="Composite" composite="C"/></composite>
      """,
      "contents:3: error: the composite C contains itself"
    ),
    (
      "<entity name=\"E\"><fetchIndex name=\"i\"><fetchIndexElement property=\"x\"/></fetchIndex></entity>",
      "contents:2: error: the index i of E names the property x, which is not there"
    ),
    (
      "<fetchRequest name=\"F\" entity=\"X\"/>",
      "contents:2: error: the fetch request F names the entity X, which is not there"
    ),
  ])
  func contradictionsAreErrors(_ elements: String, _ text: String) {
    #expect(problem(elements) == text)
  }

  @Test func aPredicateThatCannotBeReadIsAnError() {
    let text = problem("<entity name=\"E\"/>\n<fetchRequest name=\"F\" entity=\"E\" predicateString=\"a ==\"/>")
    #expect(text.hasPrefix("contents:3: error: Unable to parse the format string \"a ==\""))
  }

  @Test func anotherRootIsAnError() {
    #expect(throws: ModelFileError(file: "contents", line: 1, "expected <model>, found <plist>")) {
      try ModelDocument(contents: Array("<plist/>".utf8), file: "contents")
    }
  }
}
