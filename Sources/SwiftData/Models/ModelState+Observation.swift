import CoreData
import Observation

// A managed object reports its changes itself: those of the program, of the other side of a relationship, of a rollback and of a
// merge. The registrar is for models without a context, and for properties that are not persisted.
extension _ModelState {
  /// The registrar for observers of what the managed object does not report.
  public var registrar: ObservationRegistrar {
    if let modelObject { return modelObject.makeRegistrar() }
    if let values = owner as? DetachedValues { return values.makeRegistrar() }
    guard let foreign = owner as? ForeignValues<Model> else { preconditionFailure("\(Model.self) has no values") }
    return foreign.registrar
  }

  /// Whether a change has to be reported to the registrar.
  @inlinable public var reportsChanges: Bool { object == nil && isObserved }

  @inline(never)
  @usableFromInline
  var isObserved: Bool {
    guard let values = owner as? DetachedValues else { return true }
    return values.registrar != nil
  }

  /// Reports that a property is read.
  public func access<Value>(
    _ model: Model, keyPath: KeyPath<Model, Value>, in properties: _PersistedProperties<Model>
  ) {
    guard isTracking else { return }
    track(model, keyPath: keyPath, in: properties)
  }

  /// Reports that a property is read to the collection in progress.
  public func track<Value>(
    _ model: Model, keyPath: KeyPath<Model, Value>, in properties: _PersistedProperties<Model>
  ) {
    let number = properties.number(of: keyPath)
    if let modelObject, let number {
      modelObject._track(properties.keys[number])
    } else {
      (owner as? DetachedValues)?.note(number, keyPath, of: model)
      registrar.access(model, keyPath: keyPath)
    }
  }

  /// Runs a change and reports it.
  public func withMutation<Value, Result>(
    of model: Model, keyPath: KeyPath<Model, Value>, in properties: _PersistedProperties<Model>,
    _ mutation: () throws -> Result
  ) rethrows -> Result {
    guard let modelObject, let number = properties.number(of: keyPath) else {
      return try registrar.withMutation(of: model, keyPath: keyPath, mutation)
    }
    modelObject.willChangeValue(forKey: properties.names[number])
    defer { modelObject.didChangeValue(forKey: properties.names[number]) }
    return try mutation()
  }
}

/// Reports changes of a managed object to those who have tracked its model before it was inserted.
final class EarlierTracking: NSObject, NSKeyValueObserving {
  /// By the names of properties.
  private let reports: [String: Report]

  struct Report {
    let willSet: () -> Void
    let didSet: () -> Void

    init<Model: PersistentModel, Value>(
      _ model: Model, _ keyPath: KeyPath<Model, Value>, _ registrar: ObservationRegistrar
    ) {
      willSet = { [weak model] in if let model { registrar.willSet(model, keyPath: keyPath) } }
      didSet = { [weak model] in if let model { registrar.didSet(model, keyPath: keyPath) } }
    }
  }

  init(_ reports: [String: Report], of object: NSManagedObject) {
    self.reports = reports
    super.init()
    for name in reports.keys { object.addObserver(self, forKeyPath: name, options: .prior) }
  }

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
  ) {
    guard let report = keyPath.flatMap({ reports[$0] }) else { return }
    if change?[.notificationIsPriorKey] == nil { report.didSet() } else { report.willSet() }
  }
}
