/// The members of a to-many relationship for many owners of one hierarchy: slices of one array, found without hashing.
///
/// A class, so that looking up a list retains one reference instead of one for each stored array.
package final class MemberLists: @unchecked Sendable {
  // Sendable: filled by one thread and immutable once shared.

  /// The owners sorted by store and key, without duplicates. Lists are appended in this order.
  package let owners: [RowID]
  @exclusivity(unchecked) package private(set) var members: [RowID] = []
  /// The end of each finished list. The next owner's list is being appended; later ones are empty.
  @exclusivity(unchecked) private var ends: [Int] = []

  package init(of owners: [RowID] = []) {
    self.owners = Self.inOrder(owners)
    ends.reserveCapacity(owners.count)
  }

  /// - Parameters:
  ///   - owners: sorted by store and key.
  ///   - members: of all owners, one list after another.
  ///   - ends: the ends of the first owners' lists; the next owner gets the rest.
  package init(of owners: [RowID], members: [RowID], ends: [Int]) {
    (self.owners, self.members, self.ends) = (owners, members, ends)
  }

  /// Combines lists that are fetched store by store.
  package convenience init(of owners: [RowID], inEachStore lists: ([RowID]) throws -> MemberLists) rethrows {
    self.init(of: owners)
    let parts = try Dictionary(grouping: self.owners, by: \.store).mapValues(lists)
    for owner in self.owners { append(parts[owner.store]?.members(of: owner) ?? []) }
  }

  /// Sorts owners by store and key and removes duplicates.
  package static func inOrder(_ owners: [RowID]) -> [RowID] {
    let isInOrder = zip(owners, owners.dropFirst()).allSatisfy { $0.orderKey < $1.orderKey }
    if isInOrder { return owners }
    var sorted = owners.sorted { $0.orderKey < $1.orderKey }
    var last: UInt64?
    sorted.removeAll { id in
      defer { last = id.orderKey }
      return id.orderKey == last
    }
    return sorted
  }

  /// Appends the next owner's members.
  package func append(_ list: some Sequence<RowID>) {
    members += list
    ends.append(members.count)
  }

  /// The members of an owner; nil if the owner is unknown.
  package func members(of owner: RowID) -> ArraySlice<RowID>? {
    guard let number = number(of: owner) else { return nil }
    let start = number == 0 ? 0 : end(of: number - 1)
    return members[start..<end(of: number)]
  }

  private func end(of number: Int) -> Int { number < ends.count ? ends[number] : members.count }

  /// Keys are mostly consecutive, so an owner is usually as far behind the first as its key is greater, and never
  /// farther.
  private func number(of owner: RowID) -> Int? {
    guard let first = owners.first, owner.orderKey >= first.orderKey else { return nil }
    var low = 0
    var high = Int(min(owner.orderKey - first.orderKey, UInt64(owners.count - 1)))
    if owners[high] == owner { return high }
    while low < high {
      let middle = (low + high) / 2
      if owners[middle].orderKey < owner.orderKey { low = middle + 1 } else { high = middle }
    }
    return owners[low] == owner ? low : nil
  }
}

extension RowID {
  /// Store and key, which identify a row within its hierarchy.
  fileprivate var orderKey: UInt64 { bits & ~(0xFFF << 44) }
}
