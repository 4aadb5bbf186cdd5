import Foundation
import Observation
import StrataFoundationGaps
import StrataManagedModel

/// A change that the observers of an object are being told of: made before it, and ended after it.
final class ChangeNotice {
  private weak var object: NSManagedObject?
  private let key: String?
  private let change: MemberChange?
  private let observers: [ValueObserver]
  private let tracked: TrackedProperties?

  /// - Parameters:
  ///   - key: what changes; nil is everything.
  ///   - change: who comes and goes, if that is known.
  init(_ object: NSManagedObject, _ key: String?, _ change: MemberChange?) {
    (self.object, self.key) = (object, key)
    // Of changes of many objects at once, all is told when they are done.
    self.change = object.context?.heldNotices == nil ? change : nil
    observers = ObjectObservers.observers(of: object, key)
    tracked = ObjectObservers.tracked(of: object)
    for observer in observers { observer.willChange(self.change(toldTo: observer)) }
    tracked?.willChange(key)
  }

  /// Ends the change, or leaves that to whoever changes many objects.
  func end() {
    if let context = object?.context, context.heldNotices?.append(self) != nil { return }
    tell()
  }

  fileprivate func tell() {
    for observer in observers { observer.didChange(change(toldTo: observer)) }
    tracked?.didChange(key)
  }

  private func change(toldTo observer: ValueObserver) -> MemberChange? {
    observer.keys.count == 1 && observer.keys.first == key ? change : nil
  }
}

extension NSManagedObject {
  /// Begins a change that observers are to be told of; nil if there are none. While an object awakes, and by primitive
  /// setters, nobody is told.
  @inline(__always)
  func willTell(_ slot: Int) -> ChangeNotice? { flags.contains(.observed) ? makeNotice(slot: slot) : nil }

  /// Begins a change of a to-many relationship.
  /// - Parameters:
  ///   - other: who comes or goes; nil if that is not known.
  ///   - kind: insertion or removal of `other`.
  ///   - place: where, in an ordered relationship; nil is the end of an insertion.
  @inline(__always)
  func willTell(
    toMany number: Int, _ kind: NSKeyValueChange = .setting, _ other: NSManagedObject? = nil, at place: Int? = nil
  ) -> ChangeNotice? {
    flags.contains(.observed) ? makeNotice(toMany: number, kind, other.map { [$0] } ?? [], at: place) : nil
  }

  /// The same for several objects.
  @inline(__always)
  func willTell(
    toMany number: Int, _ kind: NSKeyValueChange, each others: @autoclosure () -> [NSManagedObject]
  ) -> ChangeNotice? {
    flags.contains(.observed) ? makeNotice(toMany: number, kind, others(), at: nil) : nil
  }

  /// Begins a change of every property: the object takes other values as a whole.
  @inline(__always)
  func willTellAll() -> ChangeNotice? { flags.contains(.observed) ? ChangeNotice(self, nil, nil) : nil }

  @inline(never)
  private func makeNotice(slot: Int) -> ChangeNotice? {
    guard context?.tracksChanges ?? true else { return nil }
    return ChangeNotice(self, layout.composite(of: slot)?.name ?? layout.slots[slot].name, nil)
  }

  @inline(never)
  private func makeNotice(
    toMany number: Int, _ kind: NSKeyValueChange, _ members: [NSManagedObject], at place: Int?
  ) -> ChangeNotice? {
    guard context?.tracksChanges ?? true else { return nil }
    let name = layout.toMany[number].name
    guard kind != .setting else { return ChangeNotice(self, name, nil) }
    var change = MemberChange(kind: kind, members: members)
    change.isOrdered = layout.toMany[number].relationship.isOrdered
    if change.isOrdered {
      switch kind {
      case .removal: change.indexes = IndexSet(members.compactMap { linkedIDs(number).firstIndex(of: $0.rowID) })
      default:
        let first = place ?? linkCount(number)
        change.indexes = IndexSet(first..<first + members.count)
      }
    }
    return ChangeNotice(self, name, change)
  }
}

extension NSManagedObjectContext {
  /// Makes changes of many objects, whose observers hear that they are made when all are: only then is what they may ask
  /// for in order.
  func tellingAtEnd<Answer>(_ changes: () throws -> Answer) rethrows -> Answer {
    guard ObjectObservers.isUsed, heldNotices == nil else { return try changes() }
    heldNotices = []
    defer {
      let held = heldNotices ?? []
      heldNotices = nil
      for notice in held { notice.tell() }
    }
    return try changes()
  }
}

/// What is read of an object by `withObservationTracking`, of a class that is `Observable`.
final class TrackedProperties: Observable {
  private let registrar = ObservationRegistrar()
  /// A key path for each property that was read. The registrar wants one, and knows a property by nothing else.
  private var paths: [String: KeyPath<TrackedProperties, Void>] = [:]

  private subscript(place: Int) -> Void {}

  func access(_ key: String) {
    let path = paths[key] ?? makePath(key)
    registrar.access(self, keyPath: path)
  }

  private func makePath(_ key: String) -> KeyPath<TrackedProperties, Void> {
    let path = \TrackedProperties.[paths.count]
    paths[key] = path
    return path
  }

  /// - Parameter key: nil is every property.
  func willChange(_ key: String?) {
    for path in key.map({ key in paths[key].map { [$0] } ?? [] }) ?? Array(paths.values) {
      registrar.willSet(self, keyPath: path)
    }
  }

  func didChange(_ key: String?) {
    for path in key.map({ key in paths[key].map { [$0] } ?? [] }) ?? Array(paths.values) {
      registrar.didSet(self, keyPath: path)
    }
  }
}
