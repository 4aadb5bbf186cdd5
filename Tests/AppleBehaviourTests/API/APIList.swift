import Testing

/// States that a public symbol exists: the key identifies its row in a list of Apple's symbols (`kind|owner|name`), and
/// the reference compiles only if it has the same type as on Apple's systems. `Tests/api.sh` counts the keys.
func use(_ key: String, _ reference: Any) {}

/// States that a public constant exists and has Apple's value.
func use<Value: Equatable>(_ key: String, _ value: Value, _ expected: Value) {
  #expect(value == expected, "\(key)")
}
