import CoreData
import Synchronization

/// The persisted properties of a class by the numbers that `@Model` gives them.
///
/// Only for code that `@Model` generates.
public final class _PersistedProperties<Model: PersistentModel>: PropertyNumbers, @unchecked Sendable {
  // Sendable: the keys are made once, and what changes in them is atomic.

  @usableFromInline let keys: UnsafeMutablePointer<_ManagedKey>

  /// Makes the list of a class, which lives as long as the program.
  public init(_ names: String...) {
    keys = .allocate(capacity: names.count)
    for (number, name) in names.enumerated() { (keys + number).initialize(to: _ManagedKey(name)) }
    super.init(names, of: Model.self)
  }
}

/// The names of a class's persisted properties by number, and how each is read and written.
public class PropertyNumbers: @unchecked Sendable {
  // Sendable: the lists change only under the lock, and key paths do not change.

  let model: any PersistentModel.Type
  let names: [String]
  private let known = Mutex(Known())

  private struct Known: @unchecked Sendable {
    // Sendable: key paths do not change.
    var properties: [ModelProperty?]?
    var numbers: [AnyKeyPath: Int]?
  }

  init(_ names: [String], of model: any PersistentModel.Type) { (self.names, self.model) = (names, model) }

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
