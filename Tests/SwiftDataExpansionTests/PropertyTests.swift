import Testing

/// The attribute, accessors and peer of a persisted property.
@Suite struct PropertyTests {
  @Test(arguments: [
    "var a: Int", "\n  // comment\n  @Attribute(.unique) public private(set) var a = 1 // end", "let a: Int",
    "@Relationship var a: [B]?", "lazy var a = 1", "var a = 1, b: Int",
  ])
  func `stored properties are persisted`(_ source: String) {
    #expect(Expanded.attribute(source) == "@_PersistedProperty(0)")
  }

  @Test func `properties have the number of their name in the class`() {
    let members = """
      static let x = 1
      var b = 1, c: Int
      #if os(Linux)
      var d: Int
      #else
      var d: String
      #endif
      @Transient var e = 1
      """
    #expect(Expanded.attribute("var a: Int", after: members) == "@_PersistedProperty(3)")
    #expect(Expanded.attribute("var d: String", after: members) == "@_PersistedProperty(2)")
    #expect(Expanded.attribute("var `d`: Int", after: members) == "@_PersistedProperty(2)")
  }

  @Test(arguments: [
    "@Transient var a = 1", "static let a = 1", "class var a: Int { 1 }", "var a: Int { 1 }", "var a = 1 { didSet {} }",
    "init() { let a = 1 }", "func f() { var a = 1 }", "#Index<A>([\\.a])", "struct B { var a = 1 }", "deinit {}",
    "@_PersistedProperty(0) var a: Int", "@_TransformablePersistedProperty(0) var a: Int", "", "case a", "}", "@",
    "var", "#",
  ])
  func `other members are not persisted`(_ source: String) { #expect(Expanded.attribute(source) == "") }

  @Test func `properties with a value transformer have accessors of their own`() {
    let source = "@Attribute(.transformable(by: ColorTransformer.self)) var color: Color?"
    #expect(Expanded.attribute(source) == "@_TransformablePersistedProperty(0)")
    #expect(
      Expanded.accessors(source, "TransformablePersistedPropertyMacro") == #"""
        @storageRestrictions(accesses: _$backingData, initializes: _color)
        init(initialValue) {
          _$backingData.initialize(initialValue, at: 7)
          _color = _SwiftDataNoType()
        }
        get {
          if _$backingData.isTracking {
            _$backingData.track(self, keyPath: \.color, in: Self._$properties)
          }
          return _$backingData.transformableValue(at: 7, in: Self._$properties)
        }
        set {
          guard _$backingData.reportsChanges else {
            return _$backingData.setTransformableValue(newValue, at: 7, in: Self._$properties)
          }
          withMutation(keyPath: \.color) {
            _$backingData.setTransformableValue(newValue, at: 7, in: Self._$properties)
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
          _$backingData.initialize(initialValue, at: 7)
          _title = _SwiftDataNoType()
        }
        get {
          if _$backingData.isTracking {
            _$backingData.track(self, keyPath: \.title, in: Self._$properties)
          }
          return _$backingData.value(at: 7, in: Self._$properties)
        }
        set {
          guard _$backingData.reportsChanges else {
            return _$backingData.setValue(newValue, at: 7, in: Self._$properties)
          }
          withMutation(keyPath: \.title) {
            _$backingData.setValue(newValue, at: 7, in: Self._$properties)
          }
        }
        """#)
  }

  @Test func `a constant has no setter`() {
    #expect(
      Expanded.accessors("let `in` = UUID()") == #"""
        @storageRestrictions(accesses: _$backingData, initializes: _in)
        init(initialValue) {
          _$backingData.initialize(initialValue, at: 7)
          _in = _SwiftDataNoType()
        }
        get {
          if _$backingData.isTracking {
            _$backingData.track(self, keyPath: \.`in`, in: Self._$properties)
          }
          return _$backingData.value(at: 7, in: Self._$properties)
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
