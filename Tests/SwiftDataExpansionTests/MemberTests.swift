import StrataSwiftDataExpansion
import Testing

/// The members that `@Model` adds to a class.
@Suite struct MemberTests {
  /// The members after the initializer in each expansion.
  private func observation(_ name: String) -> String {
    """
    private var _$observationRegistrar: Observation.ObservationRegistrar {
      _$backingData.registrar
    }

    internal func access<_M>(keyPath: KeyPath<\(name), _M>) {
      _$backingData.access(self, keyPath: keyPath, in: \(name)._$properties)
    }

    internal func withMutation<_M, _MR>(
      keyPath: KeyPath<\(name), _M>, _ mutation: () throws -> _MR
    ) rethrows -> _MR {
      try _$backingData.withMutation(of: self, keyPath: keyPath, in: \(name)._$properties, mutation)
    }

    struct _SwiftDataNoType {
    }
    """
  }

  @Test func `a final class gets backing data, metadata, an initializer and observation`() {
    let expansion = Expanded.members(
      #"""

      /// A book.
      @Model final class Book {
        #Index<Book>([\.title])
        @Attribute(.unique) var title: String
        var pages: Int = 3
        @Relationship(deleteRule: .cascade, inverse: \Note.book) var notes: [Note] = []

        init(title: String) { self.title = title }
      }
      """#)
    let expected = #"""
      @Transient
      private nonisolated static let _$properties = SwiftData._PersistedProperties<Book>("title", "pages", "notes")

      @Transient
      @exclusivity(unchecked)
      private var _$backingData = SwiftData._ModelState<Book>(Book._$properties)

      public var persistentBackingData: any SwiftData.BackingData<Book> {
        get {
          _$backingData.backingData
        }
        set {
          _$backingData.replace(by: newValue)
        }
      }

      class var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
        return [
          SwiftData.Schema.PropertyMetadata(name: "title", keypath: \Book.title, defaultValue: nil, metadata: SwiftData.Schema.Attribute(.unique)),
          SwiftData.Schema.PropertyMetadata(name: "pages", keypath: \Book.pages, defaultValue: (3) as Int, metadata: nil),
          SwiftData.Schema.PropertyMetadata(name: "notes", keypath: \Book.notes, defaultValue: ([]) as [Note], metadata: SwiftData.Schema.Relationship(deleteRule: .cascade, inverse: \Note.book)),
          SwiftData.Schema.PropertyMetadata(name: "SwiftData.Schema.Index", keypath: \SwiftData.Schema.encodingVersion, defaultValue: nil, metadata: SwiftData.Schema.Index<Book>([\.title])),
        ]
      }

      init(backingData: any SwiftData.BackingData<Book>) {
        _title = _SwiftDataNoType()
        _pages = _SwiftDataNoType()
        _notes = _SwiftDataNoType()
        self.persistentBackingData = backingData
      }


      """#
    #expect(expansion == Expansion(expected + observation("Book")))
  }

  @Test func `a subclass of a model keeps its values with those of the superclass`() {
    let expansion = Expanded.members(
      """
      @Model public class BusinessTrip: Trip {
        public var allowance: Double = 0.0
        public init(name: String) { super.init(name: name) }
      }
      """, conformances: "")
    let expected = #"""
      @Transient
      private nonisolated static let _$properties = SwiftData._PersistedProperties<BusinessTrip>("allowance")

      @Transient
      @exclusivity(unchecked)
      private var _$backingData = SwiftData._ModelState<BusinessTrip>(BusinessTrip._$properties)

      override public var persistentBackingData: any SwiftData.BackingData<Root> {
        get {
          _$backingData.join(super.persistentBackingData)
        }
        set {
          super.persistentBackingData = newValue
          _$backingData.replace(by: newValue)
        }
      }

      override public class var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
        return [
          SwiftData.Schema.PropertyMetadata(name: "allowance", keypath: \BusinessTrip.allowance, defaultValue: (0.0) as Double, metadata: nil),
        ]
      }

      public static func _$keyPaths<_S: BusinessTrip>(from type: _S.Type) -> [String: AnyKeyPath] {
        var keyPaths: [String: AnyKeyPath] = Trip._$keyPaths(from: type)
        keyPaths["allowance"] = \_S.allowance
        return keyPaths
      }

      override public class var _persistedKeyPaths: [String: AnyKeyPath] {
        _$keyPaths(from: BusinessTrip.self)
      }

      required public init(backingData: any SwiftData.BackingData<Root>) {
        _allowance = _SwiftDataNoType()
        super.init(backingData: backingData)
      }


      """#
    #expect(expansion == Expansion(expected + observation("BusinessTrip")))
  }

  @Test func `members in conditional blocks are conditional`() {
    let text = Expanded.members(
      """
      @Model final class File {
        var name = ""
        #if os(Linux) // inotify
        var inode: Int
        #elseif DEBUG
        #if canImport(Darwin)
        var number = 1
        #endif
        #else
        var path: String?
        #endif
        init() {}
      }
      """
    ).text
    let metadata = #"""
      class var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
        var metadata: [SwiftData.Schema.PropertyMetadata] = []
        metadata.append(SwiftData.Schema.PropertyMetadata(name: "name", keypath: \File.name, defaultValue: "", metadata: nil))
      #if (os(Linux))
        metadata.append(SwiftData.Schema.PropertyMetadata(name: "inode", keypath: \File.inode, defaultValue: nil, metadata: nil))
      #endif
      #if !(os(Linux)) && (DEBUG) && (canImport(Darwin))
        metadata.append(SwiftData.Schema.PropertyMetadata(name: "number", keypath: \File.number, defaultValue: 1, metadata: nil))
      #endif
      #if !(os(Linux)) && !(DEBUG)
        metadata.append(SwiftData.Schema.PropertyMetadata(name: "path", keypath: \File.path, defaultValue: nil, metadata: nil))
      #endif
        return metadata
      }
      """#
    let initializer = """
      init(backingData: any SwiftData.BackingData<File>) {
        _name = _SwiftDataNoType()
      #if (os(Linux))
        _inode = _SwiftDataNoType()
      #endif
      #if !(os(Linux)) && (DEBUG) && (canImport(Darwin))
        _number = _SwiftDataNoType()
      #endif
      #if !(os(Linux)) && !(DEBUG)
        _path = _SwiftDataNoType()
      #endif
        self.persistentBackingData = backingData
      }
      """
    #expect(text.contains(metadata) && text.contains(initializer), "\(text)")
  }

  @Test(arguments: [
    ("final class A", [], "class var", "init("), ("class A", [], "class var", "required init("),
    ("public final class A", [], "public class var", "public init("),
    ("open class A", [], "public class var", "required public init("),
    ("package class A", [], "package class var", "required package init("),
    ("final class A", ["public extension Models {}"], "public class var", "public init("),
    ("private final class A", ["public extension Models {}"], "class var", "init("),
    ("final class A", ["public enum Models {}"], "class var", "init("),
  ])
  func `members are as accessible as the class`(
    _ head: String, _ context: [String], _ metadata: String, _ initializer: String
  ) {
    let text = Expanded.members("@Model \(head) { init() {} }", in: context).text
    #expect(text.contains("\n\(metadata) schemaMetadata"), "\(text)")
    #expect(text.contains("\n\(initializer)backingData: "), "\(text)")
  }

  @Test func `a class that names the protocol itself is not taken for a subclass of a model`() {
    let text = Expanded.members("@Model class A: SwiftData.PersistentModel { init() {} }", conformances: "").text
    #expect(text.contains("override") == false)
  }

  @Test func `a class whose name is a keyword is in backticks`() {
    let text = Expanded.members("@Model class `default` { var a = 1; init() {} }").text
    #expect(text.contains(#"keypath: \`default`.a"#) && text.contains("SwiftData.BackingData<`default`>"))
  }
}
