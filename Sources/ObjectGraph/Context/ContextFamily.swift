import StrataRowStore

/// A context's relation to its children and to its parent: who they are, and which temporary IDs became permanent.
struct ContextFamily {
  private(set) var children: [ContextReference] = []
  /// The permanent IDs that replaced temporary ones, while contexts below may still use those.
  let replacedIDs = ReplacedIDs()
  /// The replaced IDs of the parent; nil without one.
  private(set) var parentReplacements: ReplacedIDs?
  /// The position in them up to which this context has applied them.
  private var applied = 0

  mutating func setParent(_ parent: NSManagedObjectContext?) {
    parentReplacements = parent?.family.replacedIDs
    applied = parentReplacements?.end ?? 0
  }

  mutating func addChild(_ child: NSManagedObjectContext) { children.append(ContextReference(child)) }

  mutating func removeChild(_ child: NSManagedObjectContext) {
    children.removeAll { $0.id == ObjectIdentifier(child) }
  }

  /// Returns the children that live, and forgets the others.
  mutating func livingChildren() -> [NSManagedObjectContext] {
    if children.isEmpty { return [] }
    children.removeAll(where: \.hasEnded)
    return children.compactMap(\.context)
  }

  /// Keeps replaced IDs while there are children who may use the old ones.
  /// - Parameter alreadyAdded: whether they were added when they were taken from the parent.
  mutating func noteReplaced(_ ids: IDChanges, alreadyAdded: Bool) {
    guard !children.isEmpty else { return }
    children.removeAll(where: \.hasEnded)
    if children.isEmpty { replacedIDs.forget() } else if !alreadyAdded { replacedIDs.add(ids) }
  }

  /// Whether the parent has replaced IDs since they were last applied here.
  var hasNewReplacements: Bool {
    @inline(__always) get { parentReplacements.map { $0.end != applied } ?? false }
  }

  /// Takes what the parent has replaced since then.
  mutating func takeReplacements() -> IDChanges {
    guard let parentReplacements else { return IDChanges() }
    let (map, end) = parentReplacements.changes(after: applied)
    applied = end
    // Rows that were read before still contain the old IDs.
    replacedIDs.add(map)
    return map
  }
}
