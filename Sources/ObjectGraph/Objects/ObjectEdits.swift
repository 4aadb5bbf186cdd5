import StrataManagedModel
import StrataRowStore

/// What an object has beyond the row it reads: its unsaved state and its to-many relationships.
final class ObjectEdits {
  /// The row as it was last read or saved; nil for an inserted object, and while the object still reads that row.
  @exclusivity(unchecked) var snapshot: Row?
  /// Whether the object's row is its own, in a page of the context, and may be written.
  @exclusivity(unchecked) var ownsRow = false
  /// Each to-many relationship that was read or changed.
  @exclusivity(unchecked) var links: RelationshipStates
  /// Values of transient attributes of undefined type, by slot.
  @exclusivity(unchecked) var objects: [Int: Any] = [:]
  /// What fetched properties found, by name.
  @exclusivity(unchecked) var fetched: [String: [NSManagedObject]]?
  /// Objects at the other ends of relationships that no context knows yet, while this one is in none either.
  @exclusivity(unchecked) var strays: [RowID: NSManagedObject]?
  /// The live ordered sets that the program holds, by the number of the relationship.
  @exclusivity(unchecked) var liveOrders: [Int: WeakLinkOrder]?
  /// The other ends of relationships as they were when a custom accessor began to change them, by property name.
  @exclusivity(unchecked) var announced: [String: [RowID]]?
  /// What had changed already when the current event began; nil if nothing had.
  @exclusivity(unchecked) var eventStart: EventStart?
  /// The number of the store that a new object is to go to; 0 is any that fits.
  @exclusivity(unchecked) var assignedStore = 0
  /// The object's name, once it has left its context.
  @exclusivity(unchecked) var lastID: NSManagedObjectID?

  init(layout: EntityLayout) {
    links = RelationshipStates(count: layout.toMany.count)
  }
}
