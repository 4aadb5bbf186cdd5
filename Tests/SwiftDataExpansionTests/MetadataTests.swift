import Testing

/// How `@Model` reads the declarations of properties.
@Suite struct MetadataTests {
  private func metadata(_ members: String) -> [String] { Expanded.metadata(members) }

  private func entry(_ name: String, _ value: String = "nil", _ metadata: String = "nil") -> String {
    #"name: "\#(name)", keypath: \A.\#(name), defaultValue: \#(value), metadata: \#(metadata)"#
  }

  @Test func `initial values have the declared type`() {
    #expect(
      metadata(
        """
        var a = 1, b: Int, c: Double = 2
        var d: Date = .now
        var e: [String: [Int]] = [:]
        var f: Int! = 3
        var g: Set<Int>=[]
        var h: Int? = nil
        let i = UUID()
        var j: Optional<Int> = 4
        """)
        == [
          entry("a", "1"), entry("b"), entry("c", "(2) as Double"), entry("d", "(.now) as Date"),
          entry("e", "([:]) as [String: [Int]]"), entry("f", "(3) as Int?"), entry("g", "([]) as Set<Int>"),
          entry("h"), entry("i", "UUID()"), entry("j", "(4) as Optional<Int>"),
        ])
  }

  @Test func `an object of the class accompanies the class of a value transformer`() {
    #expect(
      metadata("@Attribute(.transformable( by: A.B.self), originalName: \"c\") var a: B?")
        == [entry("a", "nil", #"Attribute(._transformable(by: A.B.self, A.B()), originalName: "c")"#)])
    #expect(
      metadata("@Attribute(.transformable(by: \"B\")) var a: B?")
        == [entry("a", "nil", #"Attribute(.transformable(by: "B"))"#)])
  }

  @Test func `initial values end with the declaration`() {
    #expect(
      metadata(
        #"""
        var a = b
          .map { $0 } // a comment
          + c
        var d = Dictionary<String, Int>(), e = 1 < 2, f = [1, 2].count
        var g = if h { 1 } else { 2 }
        var i = try!
          load()
        var j = "\(k, default: "{ , }")"; var l: Int = m!
        var n: (Int) -> String = { (o, p: Int) in "a" }
        var q = #line
        var r = s as?
          Int ?? 3 /* an end */
        var t = -1
        @MainActor var u = """
          text
          """
        """#)
        == [
          entry("a", "b\n  .map { $0 } // a comment\n  + c"), entry("d", "Dictionary<String, Int>()"),
          entry("e", "1 < 2"), entry("f", "[1, 2].count"), entry("g", "if h { 1 } else { 2 }"),
          entry("i", "try!\n  load()"), entry("j", #""\(k, default: "{ , }")""#), entry("l", "(m!) as Int"),
          entry("n", #"({ (o, p: Int) in "a" }) as (Int) -> String"#), entry("q", "#line"),
          entry("r", "s as?\n  Int ?? 3"), entry("t", "-1"), entry("u", "\"\"\"\n  text\n  \"\"\""),
        ])
  }

  @Test func `types end with the declaration`() {
    #expect(
      metadata(
        """
        var a: Int?
        var b: Result<Int,
          any Error> = .success(1)
        var c: any P &
          Q
        var d: [Int]
        @Attribute var e: (a: Int, b: String)
        """)
        == [
          entry("a"), entry("b", "(.success(1)) as Result<Int,\n  any Error>"), entry("c"), entry("d"),
          entry("e", "nil", "Attribute()"),
        ])
  }

  @Test func `attributes and relationships pass their arguments on`() {
    #expect(
      metadata(
        #"""
        @Attribute(.unique, originalName: "b)") var a: Int
        @SwiftData.Relationship(
          deleteRule: .cascade,  // all of them
          inverse: \B.a
        )
        public private(set) var c: [B] = []
        @available(*, deprecated) @Attribute(.ephemeral)
        nonisolated(unsafe) var d: Int
        """#)
        == [
          entry("a", "nil", #"Attribute(.unique, originalName: "b)")"#),
          entry("c", "([]) as [B]", "Relationship(deleteRule: .cascade,  // all of them\n  inverse: \\B.a)"),
          entry("d", "nil", "Attribute(.ephemeral)"),
        ])
  }

  @Test func `indexes come before constraints, after the properties`() {
    #expect(
      metadata(
        #"""
        #Unique<A>([\.a], [\.b, \.c])
        #SwiftData.Index<A>(.binary([\.a]), .rtree([\.b, \.c]))
        #warning("later")
        var a = 1
        """#)
        == [
          entry("a", "1"),
          #"name: "Index", keypath: \encodingVersion, defaultValue: nil, "#
            + #"metadata: Index<A>(.binary([\.a]), .rtree([\.b, \.c]))"#,
          #"name: "Unique", keypath: \encodingVersion, defaultValue: nil, metadata: Unique<A>([\.a], [\.b, \.c])"#,
        ])
  }

  @Test func `names in backticks are names`() {
    #expect(
      metadata("var `default`: Int\nvar `plain` = 1\nvar `two words` = 2")
        == [
          #"name: "default", keypath: \A.`default`, defaultValue: nil, metadata: nil"#, entry("plain", "1"),
          #"name: "two words", keypath: \A.`two words`, defaultValue: 2, metadata: nil"#,
        ])
  }

  @Test func `computed, observed, transient and static properties and other members are not persisted`() {
    #expect(
      metadata(
        """
        var a: Int { 1 }
        var b: Int { get { 1 } set {} }
        var c = 1 { didSet {} }
        var d: Int = 2 { @inlinable willSet(new) { print(new) } }
        static var e = 3
        class var f: Int { 4 }
        @Transient var g = 5
        @SwiftData.Transient lazy var h = 6
        var (i, j) = (7, 8)
        func k(l: Int = { var m = 1; return m }()) -> Int { var n = 2; n += 1; return n }
        subscript(o: Int) -> Int { let p = 3; return p }
        struct Q { var r = 1 }
        enum S: String { case `let`, t = "var u: Int" }
        class V: Q { var w = 2 }
        typealias X = Int
        deinit { let y = 4; print(y) }
        // var z = 1
        var last = 9
        """) == [entry("last", "9")])
  }
}
