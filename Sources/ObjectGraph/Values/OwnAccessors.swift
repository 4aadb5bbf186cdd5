import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataRuntime
import Synchronization

/// Accessors that a class implements itself for a property of the model, such as a transient section identifier that is
/// computed from a date. As on Apple's platforms, key-value coding calls them: `value(forKey:)`, `setValue(_:forKey:)`,
/// predicates that the program evaluates, and the section names of a fetched results controller. Fetches and their
/// order see stored values, in the store and in memory.
extension NSManagedObject {
  /// Whether the object's class, or another one of the model, implements accessors of properties of the model.
  @inline(__always)
  private var accessorState: AccessorState {
    let state = AccessorState(rawValue: layout.accessorState.load(ordering: .relaxed))
    return state.isCurrent ? state : entity.managedObjectModel.findAccessors(of: layout)
  }

  var hasOwnAccessors: Bool { accessorState.isOfEntity }

  /// Returns the class's accessor of a property of the model; nil if the class has no such accessor.
  private func ownAccessor(forKey key: String) -> _ComputedProperty? {
    guard hasOwnAccessors, context?.registry.recorder == nil, layout.hasProperty(named: key),
      let property = ComputedProperties.property(key, of: Swift.type(of: self)), property.isAccessor
    else { return nil }
    return property
  }

  /// Returns the value that the class's getter returns for a property of the model; nil if the class has no such
  /// getter, or if that getter is the caller.
  func ownAccessorValue(forKey key: String) -> Any?? {
    guard let property = ownAccessor(forKey: key) else { return nil }
    return RunningAccessors.run(self, key, isSetter: false) { value(of: property) }
  }

  /// Sets a property of the model with the class's setter. Returns false if the class has no such setter, or if that
  /// setter is the caller.
  func setWithOwnAccessor(_ value: Any?, forKey key: String) -> Bool {
    guard let set = ownAccessor(forKey: key)?.set else { return false }
    // A value that the property cannot have, such as nil, is stored as it is.
    return RunningAccessors.run(self, key, isSetter: true) { set(self, value is NSNull ? nil : value) } ?? false
  }

  package var plainSubject: any PredicateSubject {
    accessorState.isOfModel ? AccessorSubject(object: self) : self
  }
}

/// An object in a predicate that the program evaluates: its class's accessors take precedence over the row.
private struct AccessorSubject: PredicateSubject {
  let object: NSManagedObject

  func predicateResult(forKey key: String) -> PredicateResult {
    if let value = object.ownAccessorValue(forKey: key) { return PredicateResult(plain: value) }
    return wrapped(object.predicateResult(forKey: key))
  }

  private func wrapped(_ result: PredicateResult) -> PredicateResult {
    switch result {
    case .subject(let other as NSManagedObject): .subject(other.plainSubject)
    case .members(let members): .members(members.map(wrapped))
    default: result
    }
  }

  var predicateIdentity: PredicateValue { object.predicateIdentity }
  var predicateObject: Any { object }
  func represents(_ value: PredicateValue) -> Bool { object.represents(value) }
  func leadsToMany(_ path: ArraySlice<String>) -> Bool { object.leadsToMany(path) }
}

/// Whether an entity's class implements accessors, and the number of registrations for which that is valid.
private struct AccessorState: RawRepresentable {
  let rawValue: Int

  init(rawValue: Int) { self.rawValue = rawValue }

  init(registrations: Int, isOfEntity: Bool, isOfModel: Bool) {
    rawValue = registrations << 2 | (isOfEntity ? 1 : 0) | (isOfModel ? 2 : 0)
  }

  var isCurrent: Bool { rawValue >> 2 == ComputedProperties.registrations.load(ordering: .acquiring) }
  var isOfEntity: Bool { rawValue & 1 != 0 }
  var isOfModel: Bool { rawValue & 2 != 0 }
}

extension NSManagedObjectContext {
  /// Whether the class of an entity, or of a sub-entity, implements an accessor of a property.
  package func mayHaveOwnAccessor(of name: String, in layout: EntityLayout) -> Bool {
    ProgramRecords.register()
    return model.layouts.contains { other in
      other.isKind(of: layout)
        && ObjectClasses.knownType(of: model.entity(of: other)).map {
          ComputedProperties.property(name, of: $0)?.isAccessor == true
        } == true
    }
  }
}

extension NSManagedObjectModel {
  fileprivate func findAccessors(of layout: EntityLayout) -> AccessorState {
    let registrations = ComputedProperties.registeredCount()
    let isOfModel = layouts.contains(where: implementsAccessors)
    let state = AccessorState(
      registrations: registrations, isOfEntity: isOfModel && implementsAccessors(layout), isOfModel: isOfModel)
    layout.accessorState.store(state.rawValue, ordering: .relaxed)
    return state
  }

  private func implementsAccessors(_ layout: EntityLayout) -> Bool {
    guard let type = ObjectClasses.knownType(of: entity(of: layout)) else { return false }
    return ComputedProperties.names(of: type).contains(where: layout.hasProperty)
  }
}

/// The accessors that run at the moment, of all objects: an object has no room for a list of its own, and only classes with
/// accessors ask. One that asks key-value coding for its own property gets the stored value, as a Swift property that
/// Objective-C does not see gets it on Apple's platforms. An object is used by one queue at a time, so that another
/// thread's call does not count as recursion.
private enum RunningAccessors {
  private struct Call: Hashable {
    let object: ObjectIdentifier
    let key: String
    let isSetter: Bool
  }

  private static let running = Mutex<Set<Call>>([])

  /// Runs an accessor; returns nil without running it if it runs already.
  static func run<T>(_ object: NSManagedObject, _ key: String, isSetter: Bool, _ accessor: () -> T) -> T? {
    let call = Call(object: ObjectIdentifier(object), key: key, isSetter: isSetter)
    guard running.withLock({ $0.insert(call).inserted }) else { return nil }
    defer { running.withLock { _ = $0.remove(call) } }
    return accessor()
  }
}
