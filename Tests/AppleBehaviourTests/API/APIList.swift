import Testing

/// Says that a public symbol is there: the key names its row in a list of Apple's symbols (`kind|owner|name`), the
/// reference compiles only if it exists with the type that it has on Apple's systems. `Tests/api.sh` counts the keys.
func use(_ key: String, _ reference: Any) {}

/// Says that a public constant is there and has Apple's value.
func use<Value: Equatable>(_ key: String, _ value: Value, _ expected: Value) {
  #expect(value == expected, "\(key)")
}
