import Foundation
import StrataRuntime
import Synchronization

/// Properties of one class, by the key paths that lead to them.
///
/// Only for code that the model plugin generates. Lists compile in a fraction of the time of a call for each property.
public struct _ManagedProperties {
  let all: [ManagedProperty]

  /// - Parameters:
  ///   - names: the properties' names, with blanks between them; of a property behind a relationship that is never nil, both
  ///     names. `-` for the object itself.
  ///   - direct: their key paths.
  ///   - chained: their key paths from an optional object of the class.
  public init(_ names: StaticString, _ direct: [AnyKeyPath], _ chained: [AnyKeyPath]) {
    let lists = names.description.split(separator: " ").map { list -> [String] in
      list == "-" ? [] : list.split(separator: ".").map { String($0) }
    }
    all = zip(lists, zip(direct, chained)).map { ManagedProperty(names: $0, $1.0, $1.1) }
  }
}

/// A property of a class.
struct ManagedProperty {
  /// Empty for the object itself.
  let names: [String]
  let direct: AnyKeyPath
  /// The key path from an optional object of the class.
  let chained: AnyKeyPath
  /// The key path that unwraps the value; nil if it is not optional.
  let unwrapping: AnyKeyPath?
  /// The class at the other end of a to-one relationship.
  let target: AnyClass?

  init(names: [String], _ direct: AnyKeyPath, _ chained: AnyKeyPath) {
    (self.names, self.direct, self.chained) = (names, direct, chained)
    let value = type(of: direct).valueType
    let optional = value as? any UnwrappedByKeyPath.Type
    unwrapping = optional?.unwrapping
    target = (optional?.wrapped ?? value) as? NSManagedObject.Type
  }
}

private protocol UnwrappedByKeyPath {
  static var unwrapping: AnyKeyPath { get }
  static var wrapped: Any.Type { get }
}

extension Optional: UnwrappedByKeyPath {
  fileprivate static var unwrapping: AnyKeyPath { \Self.self! }
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}

/// The `@NSManaged` properties of the program's classes, as registered by generated code. Swift cannot name what a key path
/// of such a property leads to, but it compares key paths.
enum ManagedProperties {
  typealias List = @Sendable () -> [_ManagedProperties]

  private struct Known: @unchecked Sendable {
    // Sendable: key paths are immutable.
    var lists: [List] = []
    var byClass: [ObjectIdentifier: Properties] = [:]

    /// Reads the lists registered since the last call.
    mutating func read() {
      for property in lists.flatMap({ $0() }).flatMap(\.all) {
        guard let type = type(of: property.direct).rootType as? AnyClass else { continue }
        byClass[ObjectIdentifier(type), default: Properties()].all.append(property)
      }
      lists = []
    }
  }

  private struct Properties: @unchecked Sendable {
    // Sendable: as `Known`.
    var all: [ManagedProperty] = []
  }

  private static let known = Mutex(Known())

  static func register(_ list: @escaping List) { known.withLock { $0.lists.append(list) } }

  /// Returns the properties of a class, with inherited ones; nil for a class that is not registered.
  private static func all(of type: AnyClass) -> [ManagedProperty]? {
    ProgramRecords.register()
    let properties = known.withLock { known in
      if !known.lists.isEmpty { known.read() }
      return known.byClass[ObjectIdentifier(type)]
    }
    return properties?.all
  }

  static func isKnown(_ type: AnyClass) -> Bool { all(of: type) != nil }

  /// Returns the names of the properties that make up a key path from a class; nil if it is made of anything else, or of more
  /// than can be searched. Empty for the object itself.
  static func names(of keyPath: AnyKeyPath, from root: AnyClass) -> [String]? {
    guard let own = all(of: root) else { return nil }
    if let found = own.first(where: { isSame($0.direct, keyPath) }) { return found.names }
    var steps = own.compactMap { Step($0.names, $0.direct, to: $0) }
    for _ in 0..<maximumDepth {
      var next: [Step] = []
      for step in steps {
        for property in all(of: step.target) ?? [] {
          for path in step.paths(to: property, like: keyPath) where isSame(path, keyPath) {
            return step.names + property.names
          }
          next += step.steps(to: property)
        }
      }
      // Paths multiply with each relationship; composing this many takes some 40 ms, once for a key path.
      if next.isEmpty || next.count > maximumPaths { return nil }
      steps = next
    }
    return nil
  }

  /// Whether two key paths consist of the same parts. `==` also compares from where on they can write, and composed key
  /// paths differ in that from those that the compiler creates. Hash values do not; they depend on a random seed and all parts.
  private static func isSame(_ one: AnyKeyPath, _ other: AnyKeyPath) -> Bool {
    type(of: one) == type(of: other) && (one == other || one.hashValue == other.hashValue)
  }

  private static let maximumDepth = 5
  private static let maximumPaths = 20_000

  /// A key path to an object behind relationships.
  private struct Step {
    let names: [String]
    let path: AnyKeyPath
    /// The object itself, if the key path leads to an optional.
    let unwrapped: AnyKeyPath?
    let target: AnyClass

    init?(_ names: [String], _ path: AnyKeyPath?, to property: ManagedProperty) {
      guard let path, let target = property.target, property.names.count == 1 else { return nil }
      (self.names, self.path, self.target) = (names, path, target)
      unwrapped = property.unwrapping.flatMap { path.appending(path: $0) }
    }

    /// Returns the key paths through this one to a property that have the value type of another key path.
    func paths(to property: ManagedProperty, like other: AnyKeyPath) -> [AnyKeyPath] {
      func joined(_ start: AnyKeyPath, _ end: AnyKeyPath) -> AnyKeyPath? {
        type(of: end).valueType == type(of: other).valueType ? start.appending(path: end) : nil
      }
      guard let unwrapped else { return [joined(path, property.direct)].compactMap(\.self) }
      return [joined(path, property.chained), joined(unwrapped, property.direct)].compactMap(\.self)
    }

    func steps(to property: ManagedProperty) -> [Step] {
      let names = names + property.names
      let direct = Step(names, (unwrapped ?? path).appending(path: property.direct), to: property)
      // Behind `?.`, Swift continues no key path with a property that is never nil.
      guard unwrapped != nil, property.unwrapping != nil else { return [direct].compactMap(\.self) }
      return [direct, Step(names, path.appending(path: property.chained), to: property)].compactMap(\.self)
    }
  }
}

extension NSManagedObject {
  /// Registers the `@NSManaged` properties of a module's classes.
  ///
  /// Only for code that the model plugin generates. The list is made when the name of a key path is first requested.
  /// - Parameter list: isolated to the main actor, as classes may be; it only names properties.
  public static func _registerManagedProperties(_ list: @escaping @MainActor @Sendable () -> [_ManagedProperties]) {
    ManagedProperties.register(IsolatedList.unisolated(list))
  }
}
