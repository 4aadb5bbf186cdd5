import CoreData

/// A context of managed objects below a model context.
final class ModelObjectContext: NSManagedObjectContext, @unchecked Sendable {
  // Sendable: set before the context is used.

  weak var modelContext: ModelContext?
  /// The classes of the container's schema.
  var classes = ModelClasses(Schema())
  /// For the models of the context.
  let probe = ReadProbe()
  /// Whether a change starts an automatic save.
  var isMain = false

  /// Notes a change of a model, for the next automatic save.
  func noteChange() { if isMain { modelContext?.noteChange() } }
}

/// The classes of a schema.
struct ModelClasses: Sendable {
  /// By the names of their entities.
  let byEntity: [String: any PersistentModel.Type]
  /// The classes that have superclasses or subclasses among them.
  let related: Set<ObjectIdentifier>

  init(_ schema: Schema) {
    byEntity = Dictionary(uniqueKeysWithValues: schema.entities.map { ($0.name, $0.model) })
    related = Set(
      byEntity.values.flatMap { model in model.superclass.map { [ObjectIdentifier(model), ObjectIdentifier($0)] } ?? []
      })
  }
}
