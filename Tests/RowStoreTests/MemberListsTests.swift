import StrataRowStore
import Testing

@Suite struct MemberListsTests {
  private func id(_ key: Int64, entity: Int = 1, store: Int = 1) -> RowID {
    RowID(store: store, entity: entity, key: key)
  }

  private func members(_ lists: MemberLists, _ owner: RowID) -> [Int64]? {
    lists.members(of: owner).map { $0.map(\.key) }
  }

  @Test func `each owner has its members in the order of their addition`() {
    let lists = MemberLists(
      of: [2, 3, 5, 9].map { id($0) }, members: [7, 1, 8, 4, 7].map { id($0, entity: 2) }, ends: [2, 3, 3])
    #expect(members(lists, id(2)) == [7, 1])
    #expect(members(lists, id(3)) == [8])
    #expect(members(lists, id(5)) == [])
    #expect(members(lists, id(9)) == [4, 7])
    #expect(lists.members.count == 5)
  }

  @Test func `owners outside the request are unknown`() {
    let lists = MemberLists(of: [id(2), id(4)])
    for owner in lists.owners { lists.append([id(owner.key * 10, entity: 2)]) }
    #expect(members(lists, id(2)) == [20] && members(lists, id(4)) == [40])
    for key in [1, 3, 5, 6, 1_000] as [Int64] { #expect(members(lists, id(key)) == nil) }
    #expect(members(MemberLists(), id(1)) == nil)
    #expect(members(lists, id(2, store: 2)) == nil && members(lists, id(2, entity: 2)) == nil)
  }

  @Test func `owners are sorted and deduplicated`() {
    let lists = MemberLists(of: [id(9, entity: 3), id(2), id(5, entity: 2), id(2)])
    #expect(lists.owners == [id(2), id(5, entity: 2), id(9, entity: 3)])
    for owner in lists.owners { lists.append([owner]) }
    for owner in lists.owners { #expect(members(lists, owner) == [owner.key]) }
  }

  @Test func `owners with distant keys are found`() {
    let keys = (0..<Int64(300)).map { (index: Int64) -> Int64 in index * index * 7 + 3 }
    let lists = MemberLists(of: keys.map { id($0) })
    for key in keys { lists.append([id(key + 1)]) }
    for key in keys { #expect(members(lists, id(key)) == [key + 1]) }
    #expect(members(lists, id(5)) == nil)
  }

  @Test func `each store loads members of its own owners only`() {
    let owners = [id(1, store: 2), id(3), id(1), id(2, store: 2)]
    let lists = MemberLists(of: owners) { owners in
      let part = MemberLists(of: owners)
      for owner in part.owners { part.append([id(owner.key * 10, store: owner.store)]) }
      return part
    }
    for owner in owners { #expect(lists.members(of: owner) == [id(owner.key * 10, store: owner.store)]) }
  }
}
