/// The to-many relationships of one object that were read or changed, by number. Nothing is allocated before the first is:
/// most objects that are inserted have none.
struct RelationshipStates: RandomAccessCollection, MutableCollection {
  private var states: [RelationshipState?] = []
  private let number: Int

  /// - Parameter count: how many the entity has.
  init(count: Int) { number = count }

  var startIndex: Int { 0 }
  var endIndex: Int { number }

  /// Whether none was read or changed.
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

  /// What is there now counts as saved; of relationships whose members nobody asked for nothing is kept.
  mutating func settle() {
    var isKept = false
    for number in states.indices {
      if states[number]?.members == nil {
        states[number] = nil
      } else {
        states[number]?.settle()
        isKept = true
      }
    }
    if !isKept { states = [] }
  }

  private mutating func makeRoom() {
    guard states.isEmpty else { return }
    // An array of so many is made by the library, which looks up its type each time.
    states.reserveCapacity(number)
    for _ in 0..<number { states.append(nil) }
  }
}
