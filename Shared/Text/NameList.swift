/// Lists of names as users write them, for columns and fields.
enum NameList {
  /// The values that the names mean, each once: a table does not repeat columns, and an object of JSON does not repeat keys.
  ///
  /// - Parameter unknown: the error for a name that means nothing.
  static func values<Value, Problem: Error>(
    _ names: [String], named: (String) -> Value?, unknown: (String) -> Problem, name: (Value) -> String
  ) throws(Problem) -> [Value] {
    var (values, known) = ([Value](), Set<String>())
    for word in names {
      guard let value = named(word) else { throw unknown(word) }
      if known.insert(name(value)).inserted { values.append(value) }
    }
    return values
  }
}
