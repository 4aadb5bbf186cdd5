/// Values for some of the entities, by entity number: looked up without hashing.
struct PerEntity<Value> {
  /// By number; index 0 stays unused.
  private var values: [Value?] = []

  subscript(number: Int) -> Value? {
    @inline(__always) get { number < values.count ? values[number] : nil }
    set {
      if number >= values.count { values += Array(repeating: nil, count: number + 1 - values.count) }
      values[number] = newValue
    }
  }

  func forEach(_ body: (Value) -> Void) {
    for value in values { if let value { body(value) } }
  }

  mutating func removeAll() {
    for number in values.indices { values[number] = nil }
  }
}
