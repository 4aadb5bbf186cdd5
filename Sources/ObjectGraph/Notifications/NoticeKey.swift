/// The keys of the notifications about objects.
enum NoticeKey: Int, CaseIterable {
  case inserted, updated, deleted, refreshed, context, generation, merged
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
    case .insertedIDs: NSInsertedObjectIDsKey
    case .updatedIDs: NSUpdatedObjectIDsKey
    case .deletedIDs: NSDeletedObjectIDsKey
    case .refreshedIDs: NSRefreshedObjectIDsKey
    }
  }
}

/// The keys that one notification has.
struct NoticeKeys: Equatable {
  private var bits = 0

  var isEmpty: Bool { bits == 0 }

  mutating func insert(_ key: NoticeKey, if isThere: Bool = true) {
    if isThere { bits |= 1 << key.rawValue }
  }

  fileprivate func contains(_ key: NoticeKey) -> Bool { bits >> key.rawValue & 1 != 0 }
}

/// The dictionaries of a context's notifications.
///
/// Boxing, hashing and comparing the keys, and making a dictionary of them, would be most of the work of a notification
/// about one object. There are few combinations; the dictionary of each is laid out once and used again, with other values,
/// unless an observer keeps it.
struct NotificationUserInfoCache {
  private struct Layout {
    let keys: NoticeKeys
    var info: [AnyHashable: Any]
    let places: [(key: NoticeKey, place: Dictionary<AnyHashable, Any>.Index)]

    init(_ keys: NoticeKeys) {
      self.keys = keys
      let present = NoticeKey.allCases.filter(keys.contains)
      // With so much room two keys seldom meet: comparing them takes longer than all the rest.
      var info = Dictionary(minimumCapacity: 12) as [AnyHashable: Any]
      for key in present { info[AnyHashable(key.name)] = () }
      places = present.compactMap { key in info.index(forKey: AnyHashable(key.name)).map { (key, $0) } }
      self.info = info
    }
  }

  private var layouts: [Layout] = []

  /// A dictionary with these keys and values.
  @inline(__always)
  mutating func take(_ keys: NoticeKeys, _ value: (NoticeKey) -> Any) -> [AnyHashable: Any] {
    var number = 0
    while number < layouts.count, layouts[number].keys != keys { number += 1 }
    if number == layouts.count { layouts.append(Layout(keys)) }
    for (key, place) in layouts[number].places { layouts[number].info.values[place] = value(key) }
    return layouts[number].info
  }

  /// Lets go of the values of a dictionary that was posted.
  mutating func giveBack(_ keys: NoticeKeys) {
    guard let number = layouts.firstIndex(where: { $0.keys == keys }) else { return }
    for (_, place) in layouts[number].places { layouts[number].info.values[place] = () }
  }
}

extension Set {
  /// Room for so many members that two of them seldom meet; few of them make their own, since the library looks up the type
  /// of what it reserves for longer than it takes to grow.
  init(roomFor count: Int) { self = count < 4 ? [] : Set(minimumCapacity: 2 * count) }

  /// Members with so much room that two of them seldom meet: comparing objects costs more than a place.
  init(withRoom members: [Element]) {
    // A set of one is made by a literal at a quarter less than by letting an empty one grow.
    if members.count == 1 {
      self = [members[0]]
      return
    }
    self.init(roomFor: members.count)
    for member in members { insert(member) }
  }
}
