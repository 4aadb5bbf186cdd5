import StrataManagedModel
import StrataRowStore

/// An object's state beyond the row it reads: its unsaved state and its to-many relationships.
final class ObjectEdits {
  /// The row as last read or saved; nil for an inserted object, and while the object still uses that row.
  @exclusivity(unchecked) var snapshot: Row?
  /// Whether the object has its own row, in a page of the context, which may be written.
  @exclusivity(unchecked) var ownsRow = false
  /// The to-many relationships that were read or changed.
  @exclusivity(unchecked) var links: RelationshipStates
  /// Values of transient attributes of undefined type, by slot.
  @exclusivity(unchecked) var objects: [Int: Any] = [:]
  /// The results of fetched properties, by name.
  @exclusivity(unchecked) var fetched: [String: [NSManagedObject]]?
  /// Objects at the other ends of relationships that no context can find, while this object has no context either.
  @exclusivity(unchecked) var detachedTargets: [RowID: NSManagedObject]?
  /// The program's live ordered sets, by relationship number.
  @exclusivity(unchecked) var liveOrders: [Int: WeakLinkOrder]?
  /// The other ends of relationships before a custom accessor's change, by property name.
  @exclusivity(unchecked) var announced: [String: [RowID]]?
  /// The changes that existed when the current event began; nil if there were none.
  @exclusivity(unchecked) var eventStart: EventStart?
  /// The number of the store assigned to a new object; 0 for any that fits.
  @exclusivity(unchecked) var assignedStore = 0
  /// The object's last ID, after it has left its context.
  @exclusivity(unchecked) var lastID: NSManagedObjectID?

  /// What was read ahead with the object.
  @exclusivity(unchecked) var readAhead: PrefetchCache?

  init(layout: EntityLayout) {
    links = RelationshipStates(count: layout.toMany.count)
  }
}
