import StrataSwiftDataExpansion
import Testing

@Suite struct ModelTests {
  @Test func `an attribute turns a stored property into a persisted one`() {
    let use = MacroUse("PersistentModelMacro", .memberAttribute, of: "\n  var title: String")
    #expect(use.expanded() == Expansion("@_PersistedProperty"))
  }
}
