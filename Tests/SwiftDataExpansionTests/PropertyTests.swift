import Testing

/// The attribute, accessors and peer of a persisted property.
@Suite struct PropertyTests {
  @Test(arguments: [
    "var a: Int", "\n  // comment\n  @Attribute(.unique) public private(set) var a = 1 // end", "let a: Int",
    "@Relationship var a: [B]?", "lazy var a = 1", "var a = 1, b: Int",
  ])
  func `stored properties are persisted`(_ source: String) {
    #expect(Expanded.attribute(source) == "@_PersistedProperty")
  }

  @Test(arguments: [
    "@Transient var a = 1", "static let a = 1", "class var a: Int { 1 }", "var a: Int { 1 }", "var a = 1 { didSet {} }",
    "init() { let a = 1 }", "func f() { var a = 1 }", "#Index<A>([\\.a])", "struct B { var a = 1 }", "deinit {}",
    "@_PersistedProperty var a: Int", "@_TransformablePersistedProperty var a: Int", "", "case a", "}", "@", "var", "#",
  ])
  func `other members are not persisted`(_ source: String) { #expect(Expanded.attribute(source) == "") }

  @Test func `properties with a value transformer have accessors of their own`() {
    let source = "@Attribute(.transformable(by: ColorTransformer.self)) var color: Color?"
    #expect(Expanded.attribute(source) == "@_TransformablePersistedProperty")
    #expect(
      Expanded.accessors(source, "TransformablePersistedPropertyMacro") == #"""
        @storageRestrictions(accesses: _$backingData, initializes: _color)
        init(initialValue) {
          _$backingData.setTransformableValue(forKey: \.color, to: initialValue)
          _color = _SwiftDataNoType()
        }
        get {
          _$observationRegistrar.access(self, keyPath: \.color)
          return self.getTransformableValue(forKey: \.color)
        }
        set {
          _$observationRegistrar.withMutation(of: self, keyPath: \.color) {
            self.setTransformableValue(forKey: \.color, to: newValue)
          }
        }
        """#)
    #expect(
      Expanded.peer(source, "TransformablePersistedPropertyMacro")
        == "@Transient\nprivate var _color: _SwiftDataNoType?")
  }

  @Test func `a variable has an initializer, a getter and a setter`() {
    #expect(
      Expanded.accessors("\n  @Attribute(.unique) var title: String") == #"""
        @storageRestrictions(accesses: _$backingData, initializes: _title)
        init(initialValue) {
          _$backingData.setValue(forKey: \.title, to: initialValue)
          _title = _SwiftDataNoType()
        }
        get {
          _$observationRegistrar.access(self, keyPath: \.title)
          return self.getValue(forKey: \.title)
        }
        set {
          _$observationRegistrar.withMutation(of: self, keyPath: \.title) {
            self.setValue(forKey: \.title, to: newValue)
          }
        }
        """#)
  }

  @Test func `a constant has no setter`() {
    #expect(
      Expanded.accessors("let `in` = UUID()") == #"""
        @storageRestrictions(accesses: _$backingData, initializes: _in)
        init(initialValue) {
          _$backingData.setValue(forKey: \.`in`, to: initialValue)
          _in = _SwiftDataNoType()
        }
        get {
          _$observationRegistrar.access(self, keyPath: \.`in`)
          return self.getValue(forKey: \.`in`)
        }
        """#)
  }

  @Test(arguments: [
    ("var a: Int", "_a: _SwiftDataNoType"), ("var a = 1", "_a: _SwiftDataNoType = .init()"),
    ("var a: Int = 1", "_a: _SwiftDataNoType = .init()"), ("var a: Int?", "_a: _SwiftDataNoType?"),
    ("var a: Int? = nil", "_a: _SwiftDataNoType? = .init()"), ("var a: Int!", "_a: _SwiftDataNoType!"),
    ("var a: Optional<Int>", "_a: _SwiftDataNoType"), ("let a: Int?", "_a: _SwiftDataNoType"),
    ("var `a b`: Int", "`_a b`: _SwiftDataNoType"), ("private weak var a: B? // last", "_a: _SwiftDataNoType?"),
  ])
  func `the peer is initialized when the property is`(_ source: String, _ peer: String) {
    #expect(Expanded.peer(source) == "@Transient\nprivate var \(peer)")
  }
}
