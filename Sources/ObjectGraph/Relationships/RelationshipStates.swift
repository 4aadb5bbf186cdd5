/// An object's to-many relationships that were read or changed, by number. Allocates nothing before the first: most
/// inserted objects have none.
struct RelationshipStates: RandomAccessCollection, MutableCollection {
  private var states: [RelationshipState?] = []
  private let number: Int32

  /// - Parameter count: the number of relationships of the entity.
  init(count: Int) { number = Int32(count) }

  var startIndex: Int { 0 }
  var endIndex: Int { Int(number) }

  /// Whether no relationship was read or changed.
  @inline(__always)
  var areUntouched: Bool { states.isEmpty }

  subscript(number: Int) -> RelationshipState? {
    @inline(__always) get { states.isEmpty ? nil : states[number] }
    set {
      if newValue == nil, states.isEmpty { return }
      makeRoom()
      states[number] = newValue
    }
    _modify {
      makeRoom()
      yield &states[number]
    }
  }

  /// Makes the current state the saved one. Relationships that were changed are read again: what else the source has may be
  /// known only to it. Transient ones, which no source has, keep their members.
  mutating func markSaved(keeping transient: [Int]) {
    var isKept = false
    for number in states.indices {
      guard let state = states[number], state.members != nil, !state.isChanged || transient.contains(number) else {
        states[number] = nil
        continue
      }
      states[number]?.dropChanges()
      isKept = true
    }
    if !isKept { states = [] }
  }

  private mutating func makeRoom() {
    guard states.isEmpty else { return }
    // The library creates an array of repeated elements generically, which looks up its type each time.
    states.reserveCapacity(Int(number))
    for _ in 0..<number { states.append(nil) }
  }
}
