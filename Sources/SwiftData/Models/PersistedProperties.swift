import CoreData
import Synchronization

/// The persisted properties of a class by the numbers that `@Model` gives them.
///
/// Only for code that `@Model` generates.
public final class _PersistedProperties<Model: PersistentModel>: PropertyNumbers, @unchecked Sendable {
  // Sendable: the keys are made once, and what changes in them is atomic.

  /// Makes the list of a class, which lives as long as the program.
  public init(_ names: String...) { super.init(names, of: Model.self) }
}

extension PropertyNumbers {
  /// Writes the values of a model that is inserted.
  final func write(_ values: [_DetachedValue], to object: ModelObject) {
    let properties = properties
    for (number, value) in values.enumerated() {
      guard let property = properties[number] else { continue }
      switch value {
      case .unset: break
      // A new object has no value, but may have a default one.
      case .null: if property.metadata.defaultValue != nil { object.setValue(nil, forKey: property.name) }
      case .integer(let value): object._setInteger(value, keys[number])
      case .real(let value): object._setDouble(value, keys[number])
      case .date(let value): object._setDate(value, keys[number])
      case .text(let value): object._setString(value, keys[number])
      case .other(let value): property.write(value, of: object)
      }
    }
  }
}

/// The names of a class's persisted properties by number, and how each is read and written.
public class PropertyNumbers: @unchecked Sendable {
  // Sendable: the lists change only under the lock, and key paths do not change.

  let model: any PersistentModel.Type
  let names: [String]
  @usableFromInline let keys: UnsafeMutablePointer<_ManagedKey>
  private let known = Mutex(Known())

  private struct Known: @unchecked Sendable {
    // Sendable: key paths do not change.
    var properties: [ModelProperty?]?
    var numbers: [AnyKeyPath: Int]?
  }

  init(_ names: [String], of model: any PersistentModel.Type) {
    (self.names, self.model) = (names, model)
    keys = .allocate(capacity: names.count)
    for (number, name) in names.enumerated() { (keys + number).initialize(to: _ManagedKey(name)) }
  }

  deinit {
    keys.deinitialize(count: names.count)
    keys.deallocate()
  }

  /// Returns the property with a number. A class that cannot be stored stops the program.
  final func property(_ number: Int) -> ModelProperty {
    guard let property = properties[number] else {
      preconditionFailure("'\(names[number])' is not a persisted property of \(model)")
    }
    return property
  }

  private final var properties: [ModelProperty?] {
    if let properties = known.withLock({ $0.properties }) { return properties }
    do {
      let table = try ModelTable.of(model)
      let properties = names.map(table.property(named:))
      known.withLock { $0.properties = properties }
      return properties
    } catch {
      fatalError("\(error)")
    }
  }

  /// Returns the number of the property at a key path; nil for other key paths.
  final func number(of keyPath: AnyKeyPath) -> Int? {
    if let numbers = known.withLock({ $0.numbers }) { return numbers[keyPath] }
    // The metadata evaluates initial values, which is the program's code: not under the lock.
    let entries = model.schemaMetadata.compactMap { entry in
      names.firstIndex(of: entry.name).map { (entry.keypath, $0) }
    }
    let numbers = Dictionary(entries) { first, _ in first }
    known.withLock { $0.numbers = numbers }
    return numbers[keyPath]
  }
}
