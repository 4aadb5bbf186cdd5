import StrataRowStore

/// A change of a relationship whose members are not known yet.
enum LinkEvent {
  case added(RowID)
  case removed(RowID)
  /// The members in a new order; others that the source has follow.
  case arranged([RowID])

  var single: (RowID, Bool)? {
    switch self {
    case .added(let id): (id, true)
    case .removed(let id): (id, false)
    case .arranged: nil
    }
  }

  mutating func replaceIDs(_ map: IDChanges) {
    switch self {
    case .added(let id): if let new = map[id] { self = .added(new) }
    case .removed(let id): if let new = map[id] { self = .removed(new) }
    case .arranged(let ids): self = .arranged(ids.map { map[$0] ?? $0 })
    }
  }
}

/// Changes in the order in which they were made. Most are additions, of which only the IDs are stored: a bulk import adds
/// each new object to a relationship of another one.
struct LinkEvents: RandomAccessCollection {
  /// The members added, if nothing else happened.
  private var added: [RowID] = []
  /// All changes, if some are not additions.
  private var mixed: [LinkEvent] = []

  init() {}

  init(_ events: some Sequence<LinkEvent>) {
    for event in events { append(event) }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { mixed.isEmpty ? added.count : mixed.count }
  subscript(index: Int) -> LinkEvent { mixed.isEmpty ? .added(added[index]) : mixed[index] }

  mutating func append(_ event: LinkEvent) {
    if mixed.isEmpty {
      if case .added(let id) = event { return added.append(id) }
      mixed = added.map(LinkEvent.added)
      added = []
    }
    mixed.append(event)
  }

  /// Removes the changes that concern some IDs.
  mutating func forget(_ ids: Set<RowID>) {
    added.removeAll(where: ids.contains)
    mixed.removeAll { $0.single.map { ids.contains($0.0) } ?? false }
  }

  mutating func replaceIDs(_ map: IDChanges) {
    for index in added.indices { if let new = map[added[index]] { added[index] = new } }
    for index in mixed.indices { mixed[index].replaceIDs(map) }
  }
}
