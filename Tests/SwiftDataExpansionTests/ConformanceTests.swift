import StrataSwiftDataExpansion
import Testing

/// Conformances that macros add, model actors, and errors.
@Suite struct ConformanceTests {
  private func error(_ message: String, at offset: Int = 0) -> Expansion {
    Expansion(diagnostics: [.init(message, at: offset)])
  }

  @Test func `a model conforms to PersistentModel and Observable, and is marked as not Sendable`() {
    let message =
      "PersistentModels are not Sendable, consider utilizing a ModelActor or use Shelf.Book's persistentModelID instead"
    #expect(
      Expanded.extensions("@Model class Book {}", of: "Shelf.Book")
        == Expansion(
          """
          extension Shelf.Book: nonisolated SwiftData.PersistentModel {
          }

          extension Shelf.Book: nonisolated Observation.Observable {
          }

          @available(swift, deprecated: 5.9, message: "\(message)")
          @available(*, unavailable, message: "\(message)")
          extension Shelf.Book: Sendable {
          }
          """))
  }

  @Test func `conformances that a type has are not repeated`() {
    #expect(
      Expanded.extensions("class B: A {}", of: "B", conformances: "struct Placeholder: SwiftData.PersistentModel {}")
        == Expansion("extension B: nonisolated SwiftData.PersistentModel {\n}"))
    #expect(Expanded.extensions("class B: A {}", of: "B", conformances: "") == Expansion())
  }

  @Test(arguments: [
    ("struct A {}", "struct type 'A'"), ("public actor A { init() {} }", "actor type 'A'"),
    ("extension A.B {}", "extension type 'A.B'"), ("class A<Element> { init() {} }", "generic type 'A'"),
  ])
  func `only classes can be models`(_ source: String, _ type: String) {
    let message = "'@Model' cannot be applied to \(type)"
    #expect(Expanded.members("\n@Model \(source)") == error(message, at: 1))
    #expect(Expanded.extensions("\n@Model \(source)", of: "A") == Expansion())
  }

  @Test func `enumerations are ignored`() {
    #expect(Expanded.members("@Model enum A { case b }") == Expansion())
    #expect(Expanded.extensions("@Model enum A { case b }", of: "A") == Expansion())
  }

  @Test func `a model needs an initializer of its own`() {
    let expansion = Expanded.members("/* ü */ @Model class A { var a = 1; struct B { init() {} } }")
    #expect(expansion.diagnostics == [.init("@Model requires an initializer be provided for 'A'", at: 9)])
    #expect(Expanded.members("@Model class A { convenience init?(a: Int) {} }").diagnostics == [])
  }

  @Test func `transient properties need a value`() {
    let source = """
      @Model class A {
        @Transient var a: Int, b = 1, c: Int?, d: Int { 1 }, e: Int!
        @Transient static var f: Int
        @Transient let g: Int
        init() {}
      }
      """
    let message = "@Transient requires non-optional property 'a' to have a default value"
    #expect(Expanded.members(source).diagnostics == [.init(message, at: 19)])
  }

  @Test func `a model actor has an executor with a context of its own`() {
    let source = "@ModelActor public actor Library { func count() -> Int { 1 } }"
    #expect(
      MacroUse("PersistentModelActorMacro", "member", of: source).expanded()
        == Expansion(
          """
          public nonisolated let modelExecutor: any SwiftData.ModelExecutor

          public nonisolated let modelContainer: SwiftData.ModelContainer

          public init(modelContainer: SwiftData.ModelContainer) {
            let modelContext = SwiftData.ModelContext(modelContainer)
            self.modelExecutor = SwiftData.DefaultSerialModelExecutor(modelContext: modelContext)
            self.modelContainer = modelContainer
          }
          """))
    let use = MacroUse(
      "PersistentModelActorMacro", "extension", of: source, extending: "Library",
      conformances: "struct Placeholder: ModelActor {}")
    #expect(use.expanded() == Expansion("extension Library: SwiftData.ModelActor {\n}"))
  }

  @Test func `only actors can be model actors`() {
    let use = MacroUse("PersistentModelActorMacro", "member", of: " @ModelActor class A {}")
    #expect(use.expanded() == error("'@ModelActor' cannot be applied to class type 'A'", at: 1))
  }

  @Test(arguments: [
    ("AttributePropertyMacro", "peer"), ("RelationshipPropertyMacro", "peer"),
    ("TransientPropertyMacro", "peer"), ("IndexMacro", "declaration"), ("UniqueConstraintsMacro", "declaration"),
  ])
  func `macros that only @Model reads expand to nothing`(_ macro: String, _ role: String) {
    #expect(MacroUse(macro, role, of: "@Attribute(.unique) var a: Int").expanded() == Expansion())
  }

  @Test(arguments: [("PersistentModelMacro", "peer"), ("IndexMacro", "accessor"), ("QueryMacro", "accessor")])
  func `other macros and roles do not exist`(_ macro: String, _ role: String) {
    let message = "SwiftData's macros do not include \(macro) as \(role)"
    #expect(MacroUse(macro, role, of: " var a: Int").expanded() == error(message, at: 1))
  }
}
