import Foundation
import StrataFoundationGaps
import StrataManagedModel

/// The values of one change, as reported to an observer.
struct ObservedValues {
  var kind = NSKeyValueChange.setting
  /// nil if not requested, or without an earlier value.
  var new: Any?
  var old: Any?
  var indexes: IndexSet?
  var isPrior = false
}

/// The members inserted or removed by a change of a to-many relationship.
struct MemberChange {
  var kind: NSKeyValueChange
  var members: [NSManagedObject]
  var isOrdered = false
  /// Their indexes in an ordered relationship.
  var indexes: IndexSet?

  var collection: Any { isOrdered ? NSArray(array: members) : NSSet(array: members) }
}

/// An observer of the value at a key path from an object. It is notified of changes of every property on the path, and
/// of those that the classes declare as dependencies.
final class ValueObserver: @unchecked Sendable {
  // Sendable: used on the queue of the object's context, except `watched` and `isEnded`, which `ObjectObservers`
  // protects.

  private(set) weak var object: NSManagedObject?
  let objectID: ObjectIdentifier
  let keys: [String]
  let options: NSKeyValueObservingOptions
  /// The value's dependencies, besides those that the classes declare.
  private let dependencies: [[String]]
  private let read: (NSManagedObject) -> Any
  private let handler: (NSManagedObject, ObservedValues) -> Void

  /// A property of an object that the observer watches.
  struct Watched {
    /// nil for the observed object itself, which an observer does not retain.
    let object: NSManagedObject?
    let id: ObjectIdentifier
    let key: String
  }
  var watched: [Watched] = []
  var isEnded = false

  /// The nesting depth of changes in progress.
  private var depth = 0
  private var values = ObservedValues()

  init(
    of object: NSManagedObject, at keys: [String], dependingOn dependencies: [[String]] = [],
    _ options: NSKeyValueObservingOptions, reading read: @escaping (NSManagedObject) -> Any,
    handler: @escaping (NSManagedObject, ObservedValues) -> Void
  ) {
    self.object = object
    objectID = ObjectIdentifier(object)
    (self.keys, self.dependencies, self.options, self.read, self.handler) = (keys, dependencies, options, read, handler)
  }

  func begin() {
    watch()
    guard options.contains(.initial), let object else { return }
    handler(object, ObservedValues(new: options.contains(.new) ? read(object) : nil))
  }

  func end() { ObjectObservers.remove(self) }

  // MARK: Changes

  func willChange(_ change: MemberChange?) {
    depth += 1
    // Of nested changes only the outermost can be reported.
    guard depth == 1 else { return }
    guard let object else { return }
    values = ObservedValues(kind: change?.kind ?? .setting, indexes: change?.indexes)
    if options.contains(.old) {
      switch change?.kind {
      case .insertion: break
      case .removal: values.old = change?.collection
      default: if object.life != .fault { values.old = read(object) }
      }
    }
    if options.contains(.prior) {
      var prior = values
      prior.isPrior = true
      handler(object, prior)
    }
  }

  func didChange(_ change: MemberChange?) {
    depth -= 1
    guard depth == 0, let object, !isEnded else { return }
    if keys.count > 1 || watched.count > 1 { watch() }
    if options.contains(.new) {
      switch values.kind {
      case .insertion: values.new = change?.collection
      case .removal: break
      default: values.new = read(object)
      }
    }
    let reported = values
    values = ObservedValues()
    handler(object, reported)
  }

  // MARK: What is watched

  /// Watches the properties on the path, of the objects currently on it.
  private func watch() {
    guard let object else { return }
    var found: [Watched] = []
    add(keys[...], of: object, to: &found)
    for path in dependencies { add(path[...], of: object, to: &found) }
    ObjectObservers.watch(found, for: self)
  }

  private func add(_ path: ArraySlice<String>, of owner: NSManagedObject, to found: inout [Watched]) {
    guard let key = path.first else { return }
    let id = ObjectIdentifier(owner)
    if !found.contains(where: { $0.id == id && $0.key == key }) {
      found.append(Watched(object: id == objectID ? nil : owner, id: id, key: key))
      for other in type(of: owner).keyPathsForValuesAffectingValue(forKey: key).sorted() {
        add(other.split(separator: ".").map(String.init)[...], of: owner, to: &found)
      }
    }
    guard path.count > 1, owner.layout.composite(named: key) == nil else { return }
    if owner.layout.toMany(named: key) != nil {
      fatalError(
        "[\(owner.layout.name).\(key) addObserver:forKeyPath:options:context:] is not supported. Key path: "
          + path.dropFirst().joined(separator: "."))
    }
    if let next = owner.value(forKey: key) as? NSManagedObject { add(path.dropFirst(), of: next, to: &found) }
  }
}
