import Foundation
import StrataRuntime
import Synchronization

/// A `@NSManaged` property of a class, by the key paths that lead to it.
///
/// Only for code that the model plugin generates.
public struct _ManagedProperty {
  /// The property's name; of a property behind a relationship that is never nil, both names. Empty for the object itself.
  let names: [String]
  let direct: AnyKeyPath
  /// The key path from an optional object of the class.
  let chained: AnyKeyPath
  let isOptional: Bool
  /// The key path that unwraps an optional value.
  let unwrapping: AnyKeyPath
  /// The class at the other end of a to-one relationship.
  let target: AnyClass?

  public init<Root: NSManagedObject, Value>(
    _ name: StaticString, _ direct: KeyPath<Root, Value>, _ chained: AnyKeyPath
  ) {
    (names, self.direct, self.chained) = (Self.names(name), direct, chained)
    let optional = Value.self as? any UnwrappedByKeyPath.Type
    isOptional = optional != nil
    unwrapping = optional?.unwrapping ?? \Optional<Value>.self!
    target = (optional?.wrapped ?? Value.self) as? NSManagedObject.Type
  }

  private static func names(_ text: StaticString) -> [String] { "\(text)".split(separator: ".").map(String.init) }
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
  typealias List = @Sendable () -> [_ManagedProperty]

  private struct Known: @unchecked Sendable {
    // Sendable: key paths are immutable.
    var lists: [List] = []
    var byClass: [ObjectIdentifier: Properties] = [:]

    /// Reads the lists registered since the last call.
    mutating func read() {
      for property in lists.flatMap({ $0() }) {
        guard let type = type(of: property.direct).rootType as? AnyClass else { continue }
        byClass[ObjectIdentifier(type), default: Properties()].all.append(property)
      }
      lists = []
    }
  }

  private struct Properties: @unchecked Sendable {
    // Sendable: as `Known`.
    var all: [_ManagedProperty] = []
  }

  private static let known = Mutex(Known())

  static func register(_ list: @escaping List) { known.withLock { $0.lists.append(list) } }

  /// Returns the properties of a class, with inherited ones; nil for a class that is not registered.
  private static func all(of type: AnyClass) -> [_ManagedProperty]? {
    ProgramRecords.register()
    let properties = known.withLock { known in
      if !known.lists.isEmpty { known.read() }
      return known.byClass[ObjectIdentifier(type)]
    }
    return properties?.all
  }

  static func isKnown(_ type: AnyClass) -> Bool { all(of: type) != nil }

  /// Returns the names of the properties that make up a key path from a class; nil if it is made of anything else. Empty for
  /// the object itself.
  static func names(of keyPath: AnyKeyPath, from root: AnyClass) -> [String]? {
    guard let own = all(of: root) else { return nil }
    if let found = own.first(where: { isSame($0.direct, keyPath) }) { return found.names }
    var steps = own.compactMap { Step($0.names, $0.direct, to: $0, isOptional: $0.isOptional) }
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
      // A model whose every entity leads to every other would have no end.
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
  private static let maximumPaths = 2_000

  /// A key path to an object behind relationships.
  private struct Step {
    let names: [String]
    let path: AnyKeyPath
    /// The object itself, if the key path leads to an optional.
    let unwrapped: AnyKeyPath?
    let target: AnyClass

    init?(_ names: [String], _ path: AnyKeyPath?, to property: _ManagedProperty, isOptional: Bool) {
      guard let path, let target = property.target, property.names.count == 1 else { return nil }
      (self.names, self.path, self.target) = (names, path, target)
      unwrapped = isOptional ? path.appending(path: property.unwrapping) : nil
    }

    /// Returns the key paths through this one to a property that have the value type of another key path.
    func paths(to property: _ManagedProperty, like other: AnyKeyPath) -> [AnyKeyPath] {
      func joined(_ start: AnyKeyPath, _ end: AnyKeyPath) -> AnyKeyPath? {
        type(of: end).valueType == type(of: other).valueType ? start.appending(path: end) : nil
      }
      guard let unwrapped else { return [joined(path, property.direct)].compactMap(\.self) }
      return [joined(path, property.chained), joined(unwrapped, property.direct)].compactMap(\.self)
    }

    func steps(to property: _ManagedProperty) -> [Step] {
      let names = names + property.names
      let direct = (unwrapped ?? path).appending(path: property.direct)
      let step = Step(names, direct, to: property, isOptional: property.isOptional)
      guard unwrapped != nil else { return [step].compactMap(\.self) }
      let chained = path.appending(path: property.chained)
      return [step, Step(names, chained, to: property, isOptional: true)].compactMap(\.self)
    }
  }
}

extension NSManagedObject {
  /// Registers the `@NSManaged` properties of a module's classes.
  ///
  /// Only for code that the model plugin generates. The list is made when the name of a key path is first requested.
  /// - Parameter list: isolated to the main actor, as classes may be; it only names properties.
  public static func _registerManagedProperties(_ list: @escaping @MainActor @Sendable () -> [_ManagedProperty]) {
    ManagedProperties.register(IsolatedList.unisolated(list))
  }
}
