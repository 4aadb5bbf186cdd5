import CoreData
import Observation

/// The values of a model: those of a managed object, or the model's own while it is in no context.
///
/// Only for code that `@Model` generates. Each class of a model with superclasses has one, for the properties that it declares.
public struct _ModelState<Model: PersistentModel>: ~Copyable {
  // Retained by hand, so that a read need not retain.

  /// The managed object; nil without a context.
  @usableFromInline private(set) var object: Unmanaged<NSManagedObject>?
  /// Without a managed object, `DetachedValues` or `ForeignValues`; otherwise the object's `ModelObjectContext`, so that the
  /// model has its values as long as the program keeps it. nil for an object that was in no context when the model got it.
  private var heldOwner: Unmanaged<AnyObject>?
  /// Of the object's link to the model.
  private var generation: UInt32 = 0
  /// Whether the values were found before the initializer's argument.
  private var isFromThread = false

  /// Makes the state of a new model, or of the one that the thread is making for a managed object.
  public init(_ properties: _PersistedProperties<Model>) {
    if let pending = ModelThread.current.takePending(for: Model.self) {
      object = Unmanaged.fromOpaque(pending.object).retain()
      heldOwner = Unmanaged.fromOpaque(pending.context).retain()
      (generation, isFromThread) = (pending.generation, true)
    } else {
      heldOwner = .passRetained(DetachedValues(properties))
    }
  }

  deinit {
    modelObject?.releaseModel(generation)
    object?.release()
    heldOwner?.release()
  }

  private mutating func take(_ object: ModelObject?, _ owner: AnyObject?, _ generation: UInt32 = 0) {
    modelObject?.releaseModel(self.generation)
    let (oldObject, oldOwner) = (self.object, heldOwner)
    (self.object, heldOwner) = (object.map { .passRetained($0) }, owner.map { .passRetained($0) })
    self.generation = generation
    oldObject?.release()
    oldOwner?.release()
  }

  var owner: AnyObject? { heldOwner?.takeUnretainedValue() }

  @inline(__always)
  var modelObject: ModelObject? {
    // SwiftData's contexts have no other objects.
    object.map { unsafeDowncast($0.takeUnretainedValue(), to: ModelObject.self) }
  }

  /// The managed object's context; nil without a managed object.
  @inline(__always)
  var context: ModelObjectContext? {
    // Only contexts own managed objects.
    object == nil ? nil : owner.map { unsafeDowncast($0, to: ModelObjectContext.self) }
  }

  private var detached: DetachedValues? { object == nil ? owner as? DetachedValues : nil }

  /// Whether `withObservationTracking` collects what is read.
  public var isTracking: Bool {
    guard object != nil, let heldOwner else { return ModelThread.current.probe.isTracking }
    // Only contexts own managed objects.
    return heldOwner._withUnsafeGuaranteedRef {
      unsafeDowncast($0, to: ModelObjectContext.self).probe.isTracking
    }
  }

  // MARK: Backing data

  /// The values as others see them.
  public var backingData: any BackingData<Model> {
    if let modelObject { return ManagedBackingData<Model>(modelObject, generation) }
    if let detached { return DetachedBackingData(detached) }
    guard let foreign = owner as? ForeignValues<Model> else { preconditionFailure("\(Model.self) has no values") }
    return foreign.data
  }

  /// Replaces the values.
  public mutating func replace<Root: PersistentModel>(by data: any BackingData<Root>) {
    if isFromThread {
      isFromThread = false
      return
    }
    if let data = data as? ManagedBackingData<Root> {
      take(data.object, data.object.managedObjectContext as? ModelObjectContext, data.generation)
    } else if let data = data as? DetachedBackingData<Root> {
      take(nil, data.values)
    } else if let data = data as? any BackingData<Model> {
      take(nil, ForeignValues(data))
    }
  }

  /// Adds the values of this class to those of the superclass, while the model is in no context.
  ///
  /// - Returns: the superclass's backing data.
  public func join<Root: PersistentModel>(_ inherited: any BackingData<Root>) -> any BackingData<Root> {
    if let detached, let root = inherited.metadata as? DetachedValues { root.add(detached) }
    return inherited
  }

  // MARK: Values

  /// Returns the value of an attribute.
  @inlinable
  public func value<Value: _DirectValue>(at number: Int, in properties: _PersistedProperties<Model>) -> Value {
    if let object, let value = object._withUnsafeGuaranteedRef({ Value._read(properties.keys[number], of: $0) }) {
      return value
    }
    return storedValue(at: number, in: properties)
  }

  /// Returns the value of an attribute, or nil.
  @inlinable
  public func value<Value: _DirectValue>(at number: Int, in properties: _PersistedProperties<Model>) -> Value? {
    if let object { return object._withUnsafeGuaranteedRef { Value._read(properties.keys[number], of: $0) } }
    return storedValue(at: number, in: properties)
  }

  /// Returns the value of an attribute of any type.
  @_disfavoredOverload
  public func value<Value: Decodable>(at number: Int, in properties: _PersistedProperties<Model>) -> Value {
    storedValue(at: number, in: properties)
  }

  @inline(never)
  @usableFromInline
  func storedValue<Value: Decodable>(at number: Int, in properties: _PersistedProperties<Model>) -> Value {
    if let modelObject { return properties.attribute(number).value(of: modelObject) }
    return detachedValue(number, properties) { $0.getValue(forKey: $1) }
  }

  /// Returns the destination of a to-one relationship.
  public func value<Value: PersistentModel>(at number: Int, in properties: _PersistedProperties<Model>) -> Value {
    guard let modelObject else { return detachedValue(number, properties) { $0.getValue(forKey: $1) } }
    guard let model: Value = properties.toOne(number).model(of: modelObject) else {
      fatalError("The required relationship '\(properties.names[number])' of \(Model.self) has no model.")
    }
    return model
  }

  /// Returns the destination of a to-one relationship, or nil.
  public func value<Value: PersistentModel>(at number: Int, in properties: _PersistedProperties<Model>) -> Value? {
    guard let modelObject else {
      return detachedValue(number, properties) { (data, key: KeyPath<Model, Value?>) in data.getValue(forKey: key) }
    }
    return properties.toOne(number).model(of: modelObject)
  }

  /// Returns the destinations of a to-many relationship.
  public func value<Value, Other>(at number: Int, in properties: _PersistedProperties<Model>) -> Value
  where Value: RelationshipCollection, Other == Value.PersistentElement { models(number, properties) }

  /// Returns the destinations of a to-many relationship to models that can be decoded.
  public func value<Value, Other>(at number: Int, in properties: _PersistedProperties<Model>) -> Value
  where Value: Decodable, Value: RelationshipCollection, Other == Value.PersistentElement {
    models(number, properties)
  }

  private func models<Value, Other>(_ number: Int, _ properties: _PersistedProperties<Model>) -> Value
  where Value: RelationshipCollection, Other == Value.PersistentElement {
    guard let modelObject else {
      return detachedValue(number, properties) { (data, key: KeyPath<Model, Value>) in data.getValue(forKey: key) }
    }
    let models: [Other] = properties.toMany(number).models(of: modelObject)
    guard let value = models as? Value else {
      preconditionFailure("'\(properties.names[number])' is not a \(Value.self)")
    }
    return value
  }

  /// Returns the value of an attribute with a value transformer.
  public func transformableValue<Value>(at number: Int, in properties: _PersistedProperties<Model>) -> Value {
    if let modelObject { return properties.attribute(number).value(of: modelObject) }
    return detachedValue(number, properties) { $0.getTransformableValue(forKey: $1) }
  }

  /// Returns the model's own value.
  private func detachedValue<Value>(
    _ number: Int, _ properties: _PersistedProperties<Model>,
    foreign: (any BackingData<Model>, KeyPath<Model, Value>) -> Value
  ) -> Value {
    if let (level, number) = place(number, properties) { return level.value(at: number) }
    guard let data = (owner as? ForeignValues<Model>)?.data else { preconditionFailure("\(Model.self) has no values") }
    return foreign(data, properties.keyPath(number))
  }

  /// Where the model's own value of a property is; nil if a program's backing data has it.
  private func place(_ number: Int, _ properties: PropertyNumbers) -> (DetachedValues, Int)? {
    guard let values = owner as? DetachedValues else { return nil }
    if values.properties === properties { return (values, number) }
    // Backing data that the program made for the class.
    for level in values.levels {
      if let number = level.properties.names.firstIndex(of: properties.names[number]) { return (level, number) }
    }
    preconditionFailure("The backing data has no '\(properties.names[number])'")
  }

  // MARK: Initializers

  // These mutate, though they need not: Swift 6.3 does not compile init accessors that borrow a noncopyable value.

  /// Sets a property from an initializer: for a managed object, the store's value stays.
  @_disfavoredOverload
  public mutating func initialize<Value>(_ value: Value, at number: Int) {
    if object == nil, let values = owner as? DetachedValues { values.values[number] = .other(value) }
  }

  /// Sets an attribute from an initializer.
  @inlinable
  public mutating func initialize<Value: _DirectValue>(_ value: Value, at number: Int) {
    if object == nil { setOwn(value._detached, at: number) }
  }

  /// Sets or removes an attribute from an initializer.
  @inlinable
  public mutating func initialize<Value: _DirectValue>(_ value: Value?, at number: Int) {
    if object == nil { setOwn(value.map(\._detached) ?? .null, at: number) }
  }

  @inline(never)
  @usableFromInline
  func setOwn(_ value: _DetachedValue, at number: Int) {
    if let values = owner as? DetachedValues { values.values[number] = value }
  }

  /// Sets a property from an init accessor of the program's own.
  public mutating func setValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value) {
    guard let values = owner as? DetachedValues, let number = values.properties.number(of: key) else { return }
    values.values[number] = .other(newValue)
  }

  // MARK: Changes

  /// Sets an attribute.
  @inlinable
  public func setValue<Value: _DirectValue>(
    _ value: Value, at number: Int, in properties: _PersistedProperties<Model>
  ) {
    if let object {
      // Retained: an observer may give the model another object.
      Value._write(value, properties.keys[number], of: object.takeUnretainedValue())
      noteChange()
    } else {
      setDetached(value, number, properties) { $0.setValue(forKey: $1, to: value) }
    }
  }

  /// Sets or removes an attribute.
  @inlinable
  public func setValue<Value: _DirectValue>(
    _ value: Value?, at number: Int, in properties: _PersistedProperties<Model>
  ) {
    if let object {
      // Retained: an observer may give the model another object.
      Value._write(value, properties.keys[number], of: object.takeUnretainedValue())
      noteChange()
    } else {
      setDetached(value, number, properties) { $0.setValue(forKey: $1, to: value) }
    }
  }

  /// Sets an attribute of any type.
  @_disfavoredOverload
  public func setValue<Value: Codable>(_ value: Value, at number: Int, in properties: _PersistedProperties<Model>) {
    guard let modelObject else { return setDetached(value, number, properties) { $0.setValue(forKey: $1, to: value) } }
    properties.attribute(number).setValue(value, of: modelObject)
    noteChange()
  }

  /// Sets the destination of a to-one relationship.
  public func setValue<Value: PersistentModel>(
    _ value: Value, at number: Int, in properties: _PersistedProperties<Model>
  ) {
    guard let modelObject else { return setDetached(value, number, properties) { $0.setValue(forKey: $1, to: value) } }
    properties.toOne(number).setModel(value, of: modelObject)
    noteChange()
  }

  /// Sets or removes the destination of a to-one relationship.
  public func setValue<Value: PersistentModel>(
    _ value: Value?, at number: Int, in properties: _PersistedProperties<Model>
  ) {
    guard let modelObject else {
      return setDetached(value, number, properties) { (data, key: KeyPath<Model, Value?>) in
        data.setValue(forKey: key, to: value)
      }
    }
    properties.toOne(number).setModel(value, of: modelObject)
    noteChange()
  }

  /// Sets the destinations of a to-many relationship.
  public func setValue<Value, Other>(_ value: Value, at number: Int, in properties: _PersistedProperties<Model>)
  where Value: RelationshipCollection, Other == Value.PersistentElement { setModels(value, number, properties) }

  /// Sets the destinations of a to-many relationship to models that can be encoded.
  public func setValue<Value, Other>(_ value: Value, at number: Int, in properties: _PersistedProperties<Model>)
  where Value: Codable, Value: RelationshipCollection, Other == Value.PersistentElement {
    setModels(value, number, properties)
  }

  private func setModels<Value, Other>(_ value: Value, _ number: Int, _ properties: _PersistedProperties<Model>)
  where Value: RelationshipCollection, Other == Value.PersistentElement {
    guard let modelObject else {
      return setDetached(value, number, properties) { (data, key: KeyPath<Model, Value>) in
        data.setValue(forKey: key, to: value)
      }
    }
    (properties.toMany(number) as ToManyRelationship<Other>).setModels(value as? [Other] ?? [], of: modelObject)
    noteChange()
  }

  /// Sets the value of an attribute with a value transformer.
  public func setTransformableValue<Value>(
    _ value: Value, at number: Int, in properties: _PersistedProperties<Model>
  ) {
    guard let modelObject else {
      return setDetached(value, number, properties) { $0.setTransformableValue(forKey: $1, to: value) }
    }
    properties.attribute(number).setValue(value, of: modelObject)
    noteChange()
  }

  @inline(never)
  @usableFromInline
  func setDetached<Value>(
    _ value: Value, _ number: Int, _ properties: _PersistedProperties<Model>,
    foreign: (any BackingData<Model>, KeyPath<Model, Value>) -> Void
  ) {
    guard let (level, number) = place(number, properties) else {
      if let data = (owner as? ForeignValues<Model>)?.data { foreign(data, properties.keyPath(number)) }
      return
    }
    level.values[number] = .other(value)
  }

  /// Notes a change for the context's next automatic save.
  @inline(never)
  @usableFromInline
  func noteChange() { context?.noteChange() }
}

/// The backing data of a program's own.
final class ForeignValues<Model: PersistentModel> {
  let data: any BackingData<Model>
  let registrar = ObservationRegistrar()

  init(_ data: any BackingData<Model>) { self.data = data }
}

extension _PersistedProperties {
  func keyPath<Value>(_ number: Int) -> KeyPath<Model, Value> {
    guard let keyPath = property(number).keyPath as? KeyPath<Model, Value> else {
      preconditionFailure("'\(names[number])' is not a \(Value.self)")
    }
    return keyPath
  }

  func attribute<Value>(_ number: Int) -> ModelAttribute<Value> { cast(number) }

  func toOne<Destination>(_ number: Int) -> ToOneRelationship<Destination> { cast(number) }

  func toMany<Destination>(_ number: Int) -> ToManyRelationship<Destination> { cast(number) }

  private func cast<Property>(_ number: Int) -> Property {
    guard let property = property(number) as? Property else {
      preconditionFailure("'\(names[number])' is not a \(Property.self)")
    }
    return property
  }
}
