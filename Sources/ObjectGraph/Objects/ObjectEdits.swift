import StrataManagedModel
import StrataRowStore

/// An object's state beyond the row it reads: its unsaved state and its to-many relationships.
final class ObjectEdits {
  /// The row as last read or saved; nil for an inserted object, and while the object still uses that row.
  @exclusivity(unchecked) var snapshot: Row?
  /// The to-many relationships that were read or changed.
  @exclusivity(unchecked) var links: RelationshipStates
  /// Whether the object has its own row, in a page of the context, which may be written.
  @exclusivity(unchecked) var ownsRow = false
  /// The rows and members that were prefetched with the object.
  @exclusivity(unchecked) var prefetchCache: PrefetchCache?
  @exclusivity(unchecked) private var rare: RareEdits?

  init(layout: EntityLayout) {
    links = RelationshipStates(count: layout.toMany.count)
  }
}

/// State that few objects have. A new object needs half of the memory without it.
private final class RareEdits {
  @exclusivity(unchecked) var objects: [Int: Any] = [:]
  @exclusivity(unchecked) var fetched: [String: [NSManagedObject]]?
  @exclusivity(unchecked) var detachedTargets: [RowID: NSManagedObject]?
  @exclusivity(unchecked) var liveOrders: [Int: WeakLinkOrder]?
  @exclusivity(unchecked) var announced: [String: [RowID]]?
  @exclusivity(unchecked) var eventStart: EventStart?
  @exclusivity(unchecked) var assignedStore = 0
  @exclusivity(unchecked) var lastID: NSManagedObjectID?
}

extension ObjectEdits {
  /// Values of transient attributes of undefined type, by slot.
  var objects: [Int: Any] {
    get { rare?.objects ?? [:] }
    set { if rare != nil || !newValue.isEmpty { ownRare().objects = newValue } }
  }

  /// The results of fetched properties, by name.
  var fetched: [String: [NSManagedObject]]? {
    get { rare?.fetched }
    set { if rare != nil || newValue != nil { ownRare().fetched = newValue } }
  }

  /// Objects at the other ends of relationships that no context can find, while this object has no context either.
  var detachedTargets: [RowID: NSManagedObject]? {
    get { rare?.detachedTargets }
    set { if rare != nil || newValue != nil { ownRare().detachedTargets = newValue } }
  }

  /// The program's live ordered sets, by relationship number.
  var liveOrders: [Int: WeakLinkOrder]? {
    get { rare?.liveOrders }
    set { if rare != nil || newValue != nil { ownRare().liveOrders = newValue } }
  }

  /// The other ends of relationships before a custom accessor's change, by property name.
  var announced: [String: [RowID]]? {
    get { rare?.announced }
    set { if rare != nil || newValue != nil { ownRare().announced = newValue } }
  }

  /// The changes that existed when the current event began; nil without changes.
  var eventStart: EventStart? {
    get { rare?.eventStart }
    set { if rare != nil || newValue != nil { ownRare().eventStart = newValue } }
  }

  /// The number of the store assigned to a new object; 0 for any that fits.
  var assignedStore: Int {
    get { rare?.assignedStore ?? 0 }
    set { ownRare().assignedStore = newValue }
  }

  /// The object's last ID, after it has left its context.
  var lastID: NSManagedObjectID? {
    get { rare?.lastID }
    set { if rare != nil || newValue != nil { ownRare().lastID = newValue } }
  }

  private func ownRare() -> RareEdits {
    if let rare { return rare }
    let made = RareEdits()
    rare = made
    return made
  }
}
