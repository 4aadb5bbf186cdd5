/// The members of a to-many relationship of many owners of one hierarchy: slices of one list, found without hashing.
///
/// An object: whoever asks it for one list counts a reference, and not one to each of its parts.
package final class MemberLists: @unchecked Sendable {
  // Sendable: filled by one thread, and not changed any more once it is handed on.

  /// The owners in the order of their stores and keys, each once. Lists are given in this order.
  package let owners: [RowID]
  @exclusivity(unchecked) package private(set) var members: [RowID] = []
  /// Where the lists of the first owners end; the list of the next one is being given, those of others are empty.
  @exclusivity(unchecked) private var ends: [Int] = []

  package init(of owners: [RowID] = []) {
    self.owners = Self.inOrder(owners)
    ends.reserveCapacity(owners.count)
  }

  /// - Parameters:
  ///   - owners: in their order.
  ///   - members: of all of them, one list after another.
  ///   - ends: where the lists of the first owners end; the next one has what is left.
  package init(of owners: [RowID], members: [RowID], ends: [Int]) {
    (self.owners, self.members, self.ends) = (owners, members, ends)
  }

  /// Lists that are told store by store.
  package convenience init(of owners: [RowID], inEachStore lists: ([RowID]) throws -> MemberLists) rethrows {
    self.init(of: owners)
    let parts = try Dictionary(grouping: self.owners, by: \.store).mapValues(lists)
    for owner in self.owners { append(parts[owner.store]?.members(of: owner) ?? []) }
  }

  /// Owners in the order of their stores and keys, each once.
  package static func inOrder(_ owners: [RowID]) -> [RowID] {
    let isInOrder = zip(owners, owners.dropFirst()).allSatisfy { $0.place < $1.place }
    if isInOrder { return owners }
    var sorted = owners.sorted { $0.place < $1.place }
    var last: UInt64?
    sorted.removeAll { id in
      defer { last = id.place }
      return id.place == last
    }
    return sorted
  }

  /// Gives the next owner its members.
  package func append(_ list: some Sequence<RowID>) {
    members += list
    ends.append(members.count)
  }

  /// The members of an owner; nil of one that was not asked for.
  package func members(of owner: RowID) -> ArraySlice<RowID>? {
    guard let number = number(of: owner) else { return nil }
    let start = number == 0 ? 0 : end(of: number - 1)
    return members[start..<end(of: number)]
  }

  private func end(of number: Int) -> Int { number < ends.count ? ends[number] : members.count }

  /// Keys mostly follow each other, so an owner mostly stands as far behind the first as its key is greater; it never
  /// stands further.
  private func number(of owner: RowID) -> Int? {
    guard let first = owners.first, owner.place >= first.place else { return nil }
    var low = 0
    var high = Int(min(owner.place - first.place, UInt64(owners.count - 1)))
    if owners[high] == owner { return high }
    while low < high {
      let middle = (low + high) / 2
      if owners[middle].place < owner.place { low = middle + 1 } else { high = middle }
    }
    return owners[low] == owner ? low : nil
  }
}

extension RowID {
  /// Store and key: what tells a row from others of its hierarchy.
  fileprivate var place: UInt64 { bits & ~(0xFFF << 44) }
}
