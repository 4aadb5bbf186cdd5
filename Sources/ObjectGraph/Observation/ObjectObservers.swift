import Foundation
import Synchronization

/// The observers of managed objects. One table for the process, outside of the objects: an unobserved object pays nothing,
/// an observed one has a flag. Objects and observation tokens may be released on any thread.
enum ObjectObservers {
  /// Whether any object was ever observed; if not, there is no need to look for observers.
  static var isUsed: Bool { used.load(ordering: .relaxed) }
  private static let used = Atomic(false)

  /// The observers of one object.
  fileprivate struct Entry {
    /// In the order in which they were added.
    var observers: [(key: String, observer: ValueObserver)] = []
    var tracked: TrackedProperties?
    /// Changes announced by custom accessors, innermost last.
    var announced: [(key: String, notice: ChangeNotice)] = []
    /// Used by `removeObserver` to find an observer.
    var registrations: [ObserverRegistration] = []
  }

  /// An entry belongs to its object, and is used on the object's queue; the lock protects adding and removing entries.
  fileprivate struct Entries: @unchecked Sendable { var all: [ObjectIdentifier: Entry] = [:] }
  private static let entries = Mutex(Entries())

  // MARK: Observers

  /// Makes an observer watch exactly these properties.
  static func watch(_ watched: [ValueObserver.Watched], for observer: ValueObserver) {
    used.store(true, ordering: .relaxed)
    for one in watched { (one.object ?? observer.object)?.flags.insert(.observed) }
    let old = entries.withLock { entries -> [ValueObserver.Watched] in
      guard !observer.isEnded else { return [] }
      entries.forget(observer)
      for one in watched { entries.all[one.id, default: Entry()].observers.append((one.key, observer)) }
      defer { observer.watched = watched }
      return observer.watched
    }
    // Objects are released outside the lock.
    withExtendedLifetime(old) {}
  }

  static func remove(_ observer: ValueObserver) {
    let old = entries.withLock { entries -> [ValueObserver.Watched] in
      entries.forget(observer)
      observer.isEnded = true
      defer { observer.watched = [] }
      return observer.watched
    }
    withExtendedLifetime(old) {}
  }

  /// Called when an observed object is deinitialized; its observers watch nothing any more.
  static func forget(_ id: ObjectIdentifier) {
    let entry = entries.withLock { $0.all.removeValue(forKey: id) }
    for (_, observer) in entry?.observers ?? [] where observer.objectID == id { remove(observer) }
  }

  /// Returns the observers of a property, or of all properties, each once.
  static func observers(of object: NSManagedObject, _ key: String?) -> [ValueObserver] {
    entries.withLock { entries in
      var found: [ValueObserver] = []
      for (name, observer) in entries.all[ObjectIdentifier(object)]?.observers ?? [] where key == nil || name == key {
        if !found.contains(where: { $0 === observer }) { found.append(observer) }
      }
      return found
    }
  }

  // MARK: What belongs to an object

  static func tracked(of object: NSManagedObject) -> TrackedProperties? {
    entries.withLock { $0.all[ObjectIdentifier(object)]?.tracked }
  }

  static func makeTracked(of object: NSManagedObject) -> TrackedProperties {
    used.store(true, ordering: .relaxed)
    object.flags.insert(.observed)
    return entries.withLock { entries in
      let made = TrackedProperties()
      entries.all[ObjectIdentifier(object), default: Entry()].tracked = made
      return made
    }
  }

  static func announce(_ notice: ChangeNotice, key: String, of object: NSManagedObject) {
    entries.withLock { $0.all[ObjectIdentifier(object)]?.announced.append((key, notice)) }
  }

  static func removeAnnounced(_ key: String, of object: NSManagedObject) -> ChangeNotice? {
    entries.withLock { entries in
      let id = ObjectIdentifier(object)
      guard let index = entries.all[id]?.announced.lastIndex(where: { $0.key == key }) else { return nil }
      return entries.all[id]?.announced.remove(at: index).notice
    }
  }

  static func register(_ registration: ObserverRegistration, of object: NSManagedObject) {
    entries.withLock { $0.all[ObjectIdentifier(object), default: Entry()].registrations.append(registration) }
  }

  /// Removes and returns the last matching registration.
  static func unregister(
    from object: NSManagedObject, where fits: (ObserverRegistration) -> Bool
  ) -> ObserverRegistration? {
    entries.withLock { entries in
      let id = ObjectIdentifier(object)
      guard let index = entries.all[id]?.registrations.lastIndex(where: fits) else { return nil }
      return entries.all[id]?.registrations.remove(at: index)
    }
  }
}

extension ObjectObservers.Entries {
  /// Removes an observer from the objects that it watches.
  fileprivate mutating func forget(_ observer: ValueObserver) {
    for id in Set(observer.watched.map(\.id)) { all[id]?.observers.removeAll { $0.observer === observer } }
  }
}

/// An observer passed to `addObserver`, and how `removeObserver` finds it.
struct ObserverRegistration {
  let observer: ObjectIdentifier
  let keyPath: String
  let context: UnsafeMutableRawPointer?
  let values: ValueObserver
}
