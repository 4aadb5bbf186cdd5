/// The to-many relationships of one object that were read or changed, by number. Nothing is allocated before the first is:
/// most objects that are inserted have none.
struct LinkStates: RandomAccessCollection, MutableCollection {
  private var states: [LinkState?] = []
  private let number: Int

  /// - Parameter count: how many the entity has.
  init(count: Int) { number = count }

  var startIndex: Int { 0 }
  var endIndex: Int { number }

  /// Whether none was read or changed.
  @inline(__always)
  var areUntouched: Bool { states.isEmpty }

  subscript(number: Int) -> LinkState? {
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

  private mutating func makeRoom() {
    if states.isEmpty { states = Array(repeating: nil, count: number) }
  }
}
