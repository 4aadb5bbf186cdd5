import Foundation
import StrataRuntime
import StrataSupport
import Synchronization

/// Finds the program's classes by name: those that generated code registers, those whose names the program has asked for,
/// and those that Foundation finds.
package enum ProgramClasses {
  private struct Known: @unchecked Sendable {
    // Sendable: classes are immutable, and `make` is called on no particular thread, as Foundation calls initializers.
    var lists: [@Sendable () -> [_RegisteredClass]] = []
    /// By the last part of their names.
    var classes: [Substring: [_RegisteredClass]] = [:]
    var registered: [ObjectIdentifier: _RegisteredClass] = [:]
    /// The names that the program was given, and their classes.
    var names: [ObjectIdentifier: String] = [:]
    var given: [String: AnyClass] = [:]

    /// Reads the lists registered since the last call.
    mutating func read() {
      for entry in lists.flatMap({ $0() })
      where registered.updateValue(entry, forKey: ObjectIdentifier(entry.type)) == nil {
        add(entry)
      }
      lists = []
    }

    mutating func add(_ entry: _RegisteredClass) {
      classes[ProgramClasses.last(of: entry.path), default: []].append(entry)
    }
  }
  private static let known = Mutex(Known())

  static func register(_ list: @escaping @Sendable () -> [_RegisteredClass]) {
    known.withLock { $0.lists.append(list) }
  }

  private static func withKnown<Result: Sendable>(_ body: (inout Known) -> Result) -> Result {
    ProgramRecords.register()
    return known.withLock { known in
      if !known.lists.isEmpty { known.read() }
      return body(&known)
    }
  }

  private static func last(of name: String) -> Substring {
    name[(name.lastIndex(of: ".").map(name.index(after:)) ?? name.startIndex)...]
  }

  /// Returns the classes that a name may refer to: those called `Book`, for `Book`, `Books.Book` and `Shelf.Book`,
  /// whose context matches the rest of the name.
  package static func named(_ name: String) -> [AnyClass] {
    let all = withKnown { Found($0.classes[last(of: name)]?.map(\.type) ?? []) }
    let classes = all.types.filter { isMeant($0, by: name) }
    if !classes.isEmpty || name.utf8.count(where: { $0 == UInt8(ascii: ".") }) != 1 { return classes }
    return ClassLookup.type(named: name).map { [$0] } ?? []
  }

  private struct Found: @unchecked Sendable {
    // Sendable: classes are immutable.
    let types: [AnyClass]
    init(_ types: [AnyClass]) { self.types = types }
  }

  /// Whether a name may refer to a class.
  package static func isMeant(_ type: AnyClass, by name: String) -> Bool {
    let path = path(of: type)
    return path == name || path.hasSuffix(".\(name)") || TypeNames.full(of: type) == name
  }

  /// Returns a qualified name, `Books.Shelf.Book`: the module, the enclosing types and the class.
  package static func path(of type: AnyClass) -> String {
    withKnown { $0.registered[ObjectIdentifier(type)]?.path } ?? TypeNames.path(of: type)
  }

  /// Returns the path of a class, under which it is found from now on; if another class has it, as classes private to files
  /// or functions may, the name that distinguishes them at run time.
  package static func name(of type: AnyClass) -> String {
    let path = path(of: type)
    return withKnown { known in
      let id = ObjectIdentifier(type)
      if let name = known.names[id] { return name }
      let others = known.classes[last(of: path)] ?? []
      let isTaken = others.contains { $0.path == path && $0.type != type }
      let name = isTaken ? TypeNames.full(of: type) : path
      known.names[id] = name
      known.given[name] = type
      if known.registered[id] == nil { known.add(_RegisteredClass(path, type)) }
      return name
    }
  }
}

/// Looking up the one class with a name.
extension ProgramClasses {
  /// Returns the class with a name among the subclasses of another one. The name may lack the module and the enclosing
  /// types: then the program's own classes take precedence over those of its libraries, and top-level classes over
  /// those nested in types and files. An ambiguous name stops the program.
  /// - Parameter home: the module or bundle whose class takes precedence.
  package static func type<Base: AnyObject>(
    named name: String, below base: Base.Type, near home: String? = nil
  ) -> Base.Type? {
    let given: AnyClass? = withKnown { Found($0.given[name].map { [$0] } ?? []) }.types.first
    if let type = given as? Base.Type { return type }
    if let home, let type = type(named: name, below: base, in: home) { return type }
    let parts = name.utf8.count { $0 == UInt8(ascii: ".") }
    if parts == 1, let type = ClassLookup.type(named: name) as? Base.Type { return type }
    if parts == 0, let type = ClassLookup.type(named: "\(MainModule.name).\(name)") as? Base.Type { return type }
    let all = named(name).filter { $0 is Base.Type }
    let exact = all.filter { path(of: $0) == name || TypeNames.full(of: $0) == name }
    let outermost = all.filter { path(of: $0).utf8.count { $0 == UInt8(ascii: ".") } == 1 }
    let meant = exact.isEmpty ? outermost.isEmpty ? all : outermost : exact
    guard meant.count < 2 else {
      fatalError(
        "The class name '\(name)' is ambiguous: "
          + meant.map(Self.name).sorted().joined(separator: ", ")
          + ". Use the full name, as NSStringFromClass returns it.")
    }
    return meant.first as? Base.Type
  }

  /// Returns the one class with a name in a module, or in the module of a bundle such as `Package_Target`. Top-level
  /// classes take precedence.
  package static func type<Base: AnyObject>(
    named name: String, below base: Base.Type, in home: String
  ) -> Base.Type? {
    let all = named(name).filter { type in
      guard type is Base.Type, let module = path(of: type).split(separator: ".").first else { return false }
      // A target's name is its module's, except for characters that Swift does not allow.
      let plain = String(home.map { $0.isLetter || $0.isNumber ? $0 : "_" })
      return plain == module || plain.hasSuffix("_\(module)")
    }
    let outermost = all.filter { path(of: $0).utf8.count { $0 == UInt8(ascii: ".") } == 1 }
    let meant = outermost.isEmpty ? all : outermost
    return meant.count == 1 ? meant[0] as? Base.Type : nil
  }

  /// Returns the class with a name, of any kind. The name may lack the module if that is the program's own or
  /// Foundation.
  package static func anyClass(named name: String) -> AnyClass? {
    ClassLookup.type(named: name) ?? ClassLookup.type(named: "\(MainModule.name).\(name)")
      ?? ClassLookup.type(named: "Foundation.\(name)")
  }
}

/// Facts about classes that generated code registers.
extension ProgramClasses {
  /// Whether a class overrides `validateValue(_:forKey:)` itself; nil for a class that is not registered, such as one that
  /// is private to a file or in a target that is built without the model plugin.
  package static func validatesValues(_ type: AnyClass) -> Bool? {
    let id = ObjectIdentifier(type)
    return known.withLock { $0.registered[id]?.validatesValues } ?? withKnown { $0.registered[id]?.validatesValues }
  }

  /// Whether a class overrides a method that validates an object, or `awake(fromSnapshotEvents:)`, itself; nil as above.
  package static func hasSaveHooks(_ type: AnyClass) -> Bool? {
    let id = ObjectIdentifier(type)
    return known.withLock { $0.registered[id]?.hasSaveHooks } ?? withKnown { $0.registered[id]?.hasSaveHooks }
  }

  /// Returns a function that creates an object of a class; nil if none is registered.
  static func maker(of type: AnyClass) -> (() -> NSObject)? {
    struct Maker: @unchecked Sendable {
      // Sendable: as `Known`.
      let make: (@MainActor () -> NSObject)?
    }
    return withKnown { Maker(make: $0.registered[ObjectIdentifier(type)]?.make) }.make.map(IsolatedList.unisolated)
  }
}
