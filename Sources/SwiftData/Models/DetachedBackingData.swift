import CoreData
import Observation

/// The values of an object that is in no context.
struct DetachedBackingData<Model: PersistentModel>: BackingData {
  let values: DetachedValues

  var metadata: Any { values }

  var persistentModelID: PersistentIdentifier? {
    get { values.identifier }
    nonmutating set { values.knownIdentifier = newValue }
  }

  init(_ values: DetachedValues) { self.values = values }

  init(for modelType: Model.Type) {
    let names = modelType.schemaMetadata.filter { !$0.isDeclaration }.map(\.name)
    values = DetachedValues(PropertyNumbers(names, of: modelType))
  }

  private func value<Value>(_ key: KeyPath<Model, Value>) -> Value {
    guard let (level, number) = values.place(of: key) else { preconditionFailure("\(key) is not a persisted property") }
    return level.value(at: number)
  }

  private func set<Value>(_ key: KeyPath<Model, Value>, _ value: Value) {
    guard let (level, number) = values.place(of: key) else { preconditionFailure("\(key) is not a persisted property") }
    level.values[number] = .other(value)
  }

  func getValue<Value>(forKey key: KeyPath<Model, Value>) -> Value where Value: Decodable { value(key) }

  func getValue<Value>(forKey key: KeyPath<Model, Value>) -> Value where Value: PersistentModel { value(key) }

  func getValue<Value>(forKey key: KeyPath<Model, Value?>) -> Value? where Value: PersistentModel { value(key) }

  func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement { value(key) }

  func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement { value(key) }

  func getTransformableValue<Value>(forKey key: KeyPath<Model, Value>) -> Value { value(key) }

  func setValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value) where Value: Encodable {
    set(key, newValue)
  }

  func setValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value) where Value: PersistentModel {
    set(key, newValue)
  }

  func setValue<Value>(forKey key: KeyPath<Model, Value?>, to newValue: Value?) where Value: PersistentModel {
    set(key, newValue)
  }

  func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement { set(key, newValue) }

  func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement { set(key, newValue) }

  func setTransformableValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value) { set(key, newValue) }
}

/// The values of an object that is in no context, for the properties that one class declares.
final class DetachedValues {
  let properties: PropertyNumbers
  /// By the number of the property.
  var values: [_DetachedValue]
  /// The values for the properties of the object's subclasses.
  private var subclassLevels: [DetachedValues] = []
  /// Made when a property is first tracked.
  private(set) var registrar: ObservationRegistrar?
  /// The identifier; nil before it is asked for.
  var knownIdentifier: PersistentIdentifier?

  init(_ properties: PropertyNumbers) {
    (self.properties, values) = (properties, Array(repeating: .unset, count: properties.names.count))
  }

  /// The identifier of the new object.
  var identifier: PersistentIdentifier {
    if let knownIdentifier { return knownIdentifier }
    let identifier = PersistentIdentifier(entityName: Schema.name(of: (subclassLevels.last ?? self).properties.model))
    knownIdentifier = identifier
    return identifier
  }

  /// All classes of the object that have properties: this one and its subclasses.
  var levels: [DetachedValues] { [self] + subclassLevels }

  func add(_ level: DetachedValues) {
    if level !== self, !subclassLevels.contains(where: { $0 === level }) { subclassLevels.append(level) }
  }

  /// Returns the value of a property. One without a value stops the program.
  func value<Value>(at number: Int) -> Value {
    let name = properties.names[number]
    if let type = Value.self as? any _DirectValue.Type, let value = type.init(_detached: values[number]) {
      return value as! Value  // the type is that of the value
    }
    if let optional = Value.self as? any OptionalValue.Type, let type = optional.wrappedType as? any _DirectValue.Type,
      let value = type.init(_detached: values[number])
    {
      return value as! Value  // an optional of the type
    }
    switch values[number] {
    case .unset: preconditionFailure("'\(name)' has no value")
    case .null:
      guard let none = Any?.none as? Value else { preconditionFailure("'\(name)' has no value") }
      return none
    case .other(let any):
      // Not `as?` first, which takes an optional apart.
      guard let value = identical(any, to: Value.self) ?? any as? Value else {
        preconditionFailure("'\(name)' is not a \(Value.self)")
      }
      return value
    case let direct:
      guard let value = direct.any as? Value else { preconditionFailure("'\(name)' is not a \(Value.self)") }
      return value
    }
  }

  /// Returns the level and the number of the property at a key path.
  func place(of keyPath: AnyKeyPath) -> (DetachedValues, Int)? {
    for level in levels {
      if let number = level.properties.number(of: keyPath) { return (level, number) }
    }
    return nil
  }

  // MARK: Observation

  /// How changes of tracked properties are reported, by name.
  private(set) var tracked: [String: EarlierTracking.Report] = [:]

  func makeRegistrar() -> ObservationRegistrar {
    if let registrar { return registrar }
    let new = ObservationRegistrar()
    registrar = new
    return new
  }

  /// Notes that a property is tracked.
  func note<Model: PersistentModel, Value>(_ number: Int?, _ keyPath: KeyPath<Model, Value>, of model: Model) {
    guard let number else { return }
    tracked[properties.names[number]] = EarlierTracking.Report(model, keyPath, makeRegistrar())
  }

  // MARK: Insertion

  /// Writes the values to an object in a context.
  func write(to object: ModelObject) {
    properties.write(values, to: object)
    if !tracked.isEmpty { object.earlierTracking.append(EarlierTracking(tracked, of: object)) }
    if let registrar { object.registrar = registrar }
  }
}

extension _DetachedValue {
  /// The value as its own type; nil for none.
  fileprivate var any: Any? {
    switch self {
    case .unset, .null: nil
    case .integer(let value): value
    case .real(let value): value
    case .date(let value): value
    case .text(let value): value
    case .other(let value): value
    }
  }
}

/// Returns a value as the type that it has: not one that it can be cast to.
func identical<Value>(_ any: Any, to type: Value.Type) -> Value? {
  func check<Found>(_ found: Found) -> Value? { Found.self == Value.self ? unsafeBitCast(found, to: Value.self) : nil }
  return check(any)
}
