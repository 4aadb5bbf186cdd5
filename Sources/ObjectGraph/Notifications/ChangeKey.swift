import Synchronization

/// The user-info keys of notifications about objects.
enum ChangeKey: Int, CaseIterable {
  case inserted, updated, deleted, refreshed, context, generation, merged, changeToken
  case insertedIDs, updatedIDs, deletedIDs, refreshedIDs

  fileprivate var name: String {
    switch self {
    case .inserted: NSInsertedObjectsKey
    case .updated: NSUpdatedObjectsKey
    case .deleted: NSDeletedObjectsKey
    case .refreshed: NSRefreshedObjectsKey
    case .context: NSManagedObjectContextKey
    case .generation: NSManagedObjectContextQueryGenerationKey
    case .merged: NSObjectsChangedByMergeChangesKey
    // Apple's framework has no constant for this one.
    case .changeToken: "newChangeToken"
    case .insertedIDs: NSInsertedObjectIDsKey
    case .updatedIDs: NSUpdatedObjectIDsKey
    case .deletedIDs: NSDeletedObjectIDsKey
    case .refreshedIDs: NSRefreshedObjectIDsKey
    }
  }
}

/// The set of keys of one notification.
struct ChangeKeys: Equatable {
  private var bits = 0

  var isEmpty: Bool { bits == 0 }

  mutating func insert(_ key: ChangeKey, if isThere: Bool = true) {
    if isThere { bits |= 1 << key.rawValue }
  }

  fileprivate func contains(_ key: ChangeKey) -> Bool { bits >> key.rawValue & 1 != 0 }
}

/// Reuses the user-info dictionaries of a context's notifications.
///
/// Boxing, hashing and comparing the keys, and building a dictionary, would be most of the work of a notification about
/// one object. There are few combinations of keys: the dictionary of each is built once a process, and each context reuses its
/// own copy with other values, unless an observer retains it.
struct NotificationUserInfoCache {
  private struct Layout: @unchecked Sendable {
    // Sendable: the values of the process's layouts stay empty tuples, and the others belong to one context.

    let keys: ChangeKeys
    var info: [AnyHashable: Any]
    let entries: [(key: ChangeKey, position: Dictionary<AnyHashable, Any>.Index)]

    init(_ keys: ChangeKeys) {
      self.keys = keys
      let present = ChangeKey.allCases.filter(keys.contains)
      // With this capacity keys rarely collide: comparing them takes longer than everything else.
      var info = Dictionary(minimumCapacity: 12) as [AnyHashable: Any]
      for key in present { info[AnyHashable(key.name)] = () }
      entries = present.compactMap { key in info.index(forKey: AnyHashable(key.name)).map { (key, $0) } }
      self.info = info
    }

    /// The layouts of all contexts.
    private static let known = Mutex<[Layout]>([])

    /// Returns the layout of a combination of keys.
    static func of(_ keys: ChangeKeys) -> Layout {
      known.withLock { known in
        if let layout = known.first(where: { $0.keys == keys }) { return layout }
        known.append(Layout(keys))
        return known[known.count - 1]
      }
    }
  }

  private var layouts: [Layout] = []

  /// Returns a dictionary with these keys and values.
  @inline(__always)
  mutating func userInfo(_ keys: ChangeKeys, _ value: (ChangeKey) -> Any) -> [AnyHashable: Any] {
    var number = 0
    while number < layouts.count, layouts[number].keys != keys { number += 1 }
    if number == layouts.count { layouts.append(.of(keys)) }
    for (key, position) in layouts[number].entries { layouts[number].info.values[position] = value(key) }
    return layouts[number].info
  }

  /// Releases the values of a posted dictionary.
  mutating func recycle(_ keys: ChangeKeys) {
    guard let number = layouts.firstIndex(where: { $0.keys == keys }) else { return }
    for (_, position) in layouts[number].entries { layouts[number].info.values[position] = () }
  }
}

extension Set {
  /// Creates a set with room for members without collisions; a few members need no reservation, because looking up the
  /// reserved type takes longer than growing. A large set has more collisions, and takes half of the memory.
  init(roomFor count: Int) {
    self = count < 4 ? [] : Set(minimumCapacity: count < 10_000 ? 2 * count : count + count / 2)
  }

  /// Creates a set with few collisions: comparing objects costs more than memory.
  init(withRoom members: [Element]) {
    // A set of one is created by a literal a quarter faster than by growing an empty one.
    if members.count == 1 {
      self = [members[0]]
      return
    }
    self.init(roomFor: members.count)
    for member in members { insert(member) }
  }
}
