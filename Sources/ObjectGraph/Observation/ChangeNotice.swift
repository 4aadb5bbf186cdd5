import Foundation
import Observation
import StrataFoundationGaps
import StrataManagedModel

/// A change that an object's observers are notified of: created before the change, ended after it.
final class ChangeNotice {
  private weak var object: NSManagedObject?
  private let key: String?
  private let change: MemberChange?
  private let observers: [ValueObserver]
  private let tracked: TrackedProperties?

  /// - Parameters:
  ///   - key: the property that changes; nil for all.
  ///   - change: the members inserted or removed, if known.
  init(_ object: NSManagedObject, key: String?, change: MemberChange?) {
    (self.object, self.key) = (object, key)
    // When many objects change together, observers are notified at the end, of the whole.
    self.change = object.context?.notifier.isHolding == true ? nil : change
    observers = ObjectObservers.observers(of: object, key)
    tracked = ObjectObservers.tracked(of: object)
    for observer in observers { observer.willChange(self.change(for: observer)) }
    tracked?.willChange(key)
  }

  /// Ends the change, or leaves that to the bulk change in progress.
  func end() {
    if object?.context?.notifier.hold(self) != true { notifyDidChange() }
  }

  func notifyDidChange() {
    for observer in observers { observer.didChange(change(for: observer)) }
    tracked?.didChange(key)
  }

  private func change(for observer: ValueObserver) -> MemberChange? {
    observer.keys.count == 1 && observer.keys.first == key ? change : nil
  }
}

extension NSManagedObject {
  /// Begins a change that observers must be notified of; returns nil without observers. No notification is sent while
  /// an object awakes, nor by primitive setters.
  @inline(__always)
  func beginNotice(_ slot: Int) -> ChangeNotice? { flags.contains(.observed) ? makeNotice(slot: slot) : nil }

  /// Begins a change of a to-many relationship.
  /// - Parameters:
  ///   - other: the member inserted or removed; nil if unknown.
  ///   - kind: insertion or removal of `other`.
  ///   - place: its index in an ordered relationship; nil is the end for an insertion.
  @inline(__always)
  func beginNotice(
    toMany number: Int, kind: NSKeyValueChange = .setting, member other: NSManagedObject? = nil, at index: Int? = nil
  ) -> ChangeNotice? {
    flags.contains(.observed)
      ? makeNotice(toMany: number, kind: kind, members: other.map { [$0] } ?? [], at: index) : nil
  }

  /// Like `beginNotice(toMany:)`, for several objects.
  @inline(__always)
  func beginNotice(
    toMany number: Int, _ kind: NSKeyValueChange, each others: @autoclosure () -> [NSManagedObject]
  ) -> ChangeNotice? {
    flags.contains(.observed) ? makeNotice(toMany: number, kind: kind, members: others(), at: nil) : nil
  }

  /// Begins a change of every property: the object's values are replaced as a whole.
  @inline(__always)
  func beginNoticeOfAll() -> ChangeNotice? {
    flags.contains(.observed) ? ChangeNotice(self, key: nil, change: nil) : nil
  }

  @inline(never)
  private func makeNotice(slot: Int) -> ChangeNotice? {
    guard context?.tracker.isRecording ?? true else { return nil }
    return ChangeNotice(self, key: layout.composite(of: slot)?.name ?? layout.slots[slot].name, change: nil)
  }

  @inline(never)
  private func makeNotice(
    toMany number: Int, kind: NSKeyValueChange, members: [NSManagedObject], at index: Int?
  ) -> ChangeNotice? {
    guard context?.tracker.isRecording ?? true else { return nil }
    let name = layout.toMany[number].name
    guard kind != .setting else { return ChangeNotice(self, key: name, change: nil) }
    var change = MemberChange(kind: kind, members: members)
    change.isOrdered = layout.toMany[number].relationship.isOrdered
    if change.isOrdered {
      switch kind {
      case .removal: change.indexes = IndexSet(members.compactMap { linkedIDs(number).firstIndex(of: $0.rowID) })
      default:
        let first = index ?? linkCount(number)
        change.indexes = IndexSet(first..<first + members.count)
      }
    }
    return ChangeNotice(self, key: name, change: change)
  }
}

/// The properties of an object read by `withObservationTracking`, if its class is `Observable`.
final class TrackedProperties: Observable {
  private let registrar = ObservationRegistrar()
  /// A key path for each property that was read: the registrar identifies properties by key path.
  private var paths: [String: KeyPath<TrackedProperties, Void>] = [:]

  private subscript(index: Int) -> Void {}

  func access(_ key: String) {
    let path = paths[key] ?? makePath(key)
    registrar.access(self, keyPath: path)
  }

  private func makePath(_ key: String) -> KeyPath<TrackedProperties, Void> {
    let path = \TrackedProperties.[paths.count]
    paths[key] = path
    return path
  }

  /// - Parameter key: nil for every property.
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
