import StrataFormats
import StrataManagedModel
import StrataModelSource
import Testing

/// Errors in a model's source are reported with file and line.
@Suite struct ModelSourceErrorTests {
  @Test func `unknown elements and attributes are warnings`() throws {
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
        "contents:7: warning: the configuration C names the entity Gone, which does not exist",
      ])
  }

  @Test func `unusable bounds and defaults are warnings`() throws {
    let (model, warnings) = try document(
      """
      <entity name="E"><attribute name="d" attributeType="Date" minValueString="12/4/2013"/>
      <attribute name="b" attributeType="Binary" defaultValueString="x"/></entity>
      """
    ).makeModel()
    #expect(
      warnings.map(\.description) == [
        "contents:2: warning: the bound \"12/4/2013\" of d is not a number of seconds and is ignored",
        "contents:3: warning: b is a Binary, which has no default in a file",
      ])
    #expect(model.entities[0].attributesByName["d"]?.validationPredicates.isEmpty == true)
  }

  @Test(arguments: [
    ("<entity/>", "contents:2: error: <entity> needs the attribute name"),
    ("<entity name=\"E\"/>\n<entity name=\"E\"/>", "contents:3: error: there are two entities E"),
    (
      "<entity name=\"E\" isAbstract=\"maybe\"/>", "contents:2: error: isAbstract must be YES or NO, found \"maybe\""
    ),
    (
      "<entity name=\"E\"><relationship name=\"r\" maxCount=\"1\" destinationEntity=\"F\"/></entity>",
      "contents:2: error: the relationship E.r names the entity F, which does not exist"
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
      "contents:2: error: a names the composite C, which does not exist"
    ),
    (
      """
      <entity name="E"><attribute name="a" attributeType="Composite" composite="C"/></entity>
      <composite name="C"><attribute name="b" attributeType="Composite" composite="C"/></composite>
      """,
      "contents:3: error: the composite C contains itself"
    ),
  ])
  func `contradictions are errors`(_ elements: String, _ text: String) {
    #expect(problem(elements) == text)
  }

  @Test func `unusable elements are ignored with a warning`() throws {
    let (model, warnings) = try document(
      """
      <entity name="E"><attribute name="a" attributeType="Number"/>
      <attribute name="b" attributeType="Double" defaultValueString="x" maxValueString="y"/>
      <attribute name="c" attributeType="String" minValueString="x"/>
      <attribute name="d" attributeType="Double" derived="YES" derivationExpression="sum:("/>
      <attribute name="e" attributeType="Double" derived="YES"/>
      <fetchIndex name="i"><fetchIndexElement property="x"/><fetchIndexElement property="b"/></fetchIndex>
      </entity>
      <fetchRequest name="F" entity="X"/>
      <fetchRequest name="G" entity="E" predicateString="a =="/>
      """
    ).makeModel()
    let expected = [
      "contents:2: warning: attributeType must be a type such as",
      "contents:3: warning: the default of b must be a number",
      "contents:3: warning: a bound of b must be a number", "contents:4: warning: a length of c must be a whole number",
      "contents:5: warning: the derivation of d is left out", "contents:6: warning: the derived attribute e has no",
      "contents:7: warning: the index i of E names the property x", "contents:9: warning: the fetch request F names",
      "contents:10: warning: the fetch request G is left out",
    ]
    for text in expected { #expect(warnings.contains { $0.description.hasPrefix(text) }, Comment(rawValue: text)) }
    #expect(warnings.count == expected.count)
    let attributes = model.entities[0].attributesByName
    #expect(attributes.count == 5 && attributes["a"]?.isTransient == true && attributes["b"]?.defaultValue == nil)
    #expect(model.entities[0].indexes[0].elements.map(\.propertyName) == ["b"])
    #expect(model.fetchTemplates.isEmpty)
    model.freeze()
  }

  @Test func `an index with two collation types is ignored with a warning`() throws {
    let (model, warnings) = try document(
      """
      <entity name="E"><attribute name="a" attributeType="Double"/>
      <fetchIndex name="i"><fetchIndexElement property="a" type="Binary"/>
      <fetchIndexElement property="a" type="RTree"/></fetchIndex>
      <fetchIndex name="k"><fetchIndexElement property="a" type="RTree"/></fetchIndex></entity>
      """
    ).makeModel()
    let expected = "contents:3: warning: the index i of E is left out: it has two collation types"
    #expect(warnings.map(\.description) == [expected])
    #expect(model.entities[0].indexes.map(\.name) == ["k"])
  }

  @Test func `another root element is an error`() {
    #expect(throws: FileFormatError(file: "contents", line: 1, "expected <model>, found <plist>")) {
      try ModelDocument(contents: Array("<plist/>".utf8), file: "contents")
    }
  }
}
