import StrataManagedModel
import StrataRowStore

/// The source of a context, and caches that depend on its model.
///
/// A context that gets another source gets another value of this type: nothing that was made for one model is used with
/// another.
struct ContextSource {
  /// The coordinator or the parent; nil for none.
  let source: (any ObjectSource)?
  /// The snapshot that the context reads; nil for the current rows.
  var generation: QueryGeneration?

  // Caches, by entity number where it says "by entity". The source's model is frozen.

  /// How objects are made, by entity.
  var kinds = PerEntity<ObjectKind>()
  /// The entities that classes represent: building the name of a class takes time.
  var classEntities: [(type: ObjectIdentifier, entity: NSEntityDescription)] = []
  /// The entity last fetched by name from a coordinator.
  var namedEntity: (name: String, entity: NSEntityDescription)?
  /// The common part of the IDs of an entity, by entity. Kept here, because the IDs reported by one save are mostly gone before the
  /// next one, and their origins with them. An entry is compared with the store of the ID before it is used.
  var idOrigins = PerEntity<IDOrigin>()
  /// The positions of the to-many relationships that can lead to rows of an entity, by entity.
  var leadingRelationships = PerEntity<[Int]>()
  /// Rows of default values, by entity; an empty page for an entity without default values.
  var defaultRows = PerEntity<RowPage>()
  /// The validation of objects before a save, by entity. An entry is compared with the class of the object before it is used.
  var validationPlans = PerEntity<ValidationPlan>()

  /// - Parameter isPinned: whether the context reads a snapshot, which belongs to one source: the next read takes a new one.
  init(_ source: (any ObjectSource)?, isPinned: Bool = false) {
    self.source = source
    generation = isPinned ? .atNextRead : nil
  }
}

/// How a context makes the objects of an entity.
struct ObjectKind {
  /// The class of the objects.
  let type: NSManagedObject.Type
  /// The input of the initializers of faults.
  let seed: _ObjectSeed
}

extension NSManagedObjectContext {
  /// Begins to use a source, while the context has no objects.
  func use(_ source: (any ObjectSource)?) {
    sourceState = ContextSource(source, isPinned: sourceState.generation != nil)
    noteQueuesAbove()
    noteModelAbove()
    for child in family.children.compactMap(\.context) { child.sourceAboveDidChange() }
  }

  /// Forgets what was made for the model of the previous source, because a context above has another one. The context above
  /// does not wait: this context may be waiting for it.
  private func sourceAboveDidChange() {
    noteQueuesAbove()
    if isCurrent {
      forgetModel()
    } else {
      enqueue { [reference = ContextReference(self)] in reference.context?.forgetModel() }
    }
    for child in family.children.compactMap(\.context) { child.sourceAboveDidChange() }
  }

  private func forgetModel() {
    noteModelAbove()
    sourceState = ContextSource(sourceState.source, isPinned: sourceState.generation != nil)
  }

  /// On the context's queue, because its objects read the model.
  private func noteModelAbove() {
    let top = sequence(first: self, next: \.parent).first { $0.parent == nil }
    if let model = top?.source?.model { registry.model = model }
  }

  private func noteQueuesAbove() {
    let above = sequence(first: self, next: \.parent)
    executor.isBelowMainQueue =
      concurrencyType == .privateQueueConcurrencyType
      && above.contains { $0.concurrencyType == .mainQueueConcurrencyType }
  }

  /// Whether a context below this one has objects, which a source with this model would make invalid.
  package func childrenHaveObjects(unlike model: NSManagedObjectModel?) -> Bool {
    guard let model, let own = registry.model, own !== model else { return false }
    return childrenHaveObjects
  }

  private var childrenHaveObjects: Bool {
    family.children.compactMap(\.context).contains { $0.registry.count > 0 || $0.childrenHaveObjects }
  }
}
