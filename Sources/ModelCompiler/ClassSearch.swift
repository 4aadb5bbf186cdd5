/// The places where the classes of a model's entities may be, and the names of those that may be meant by a misspelled one.
struct ClassSearch {
  /// Whether no other target can depend on this one, and declare the classes.
  let isProgram: Bool
  /// The modules that the target depends on.
  let beneath: [SourceModule]
  /// The modules of the package that depend on the target. They are read only if a class is missing.
  let above: () -> [SourceModule]
  /// The names of the managed object classes in the target and in the modules beneath it.
  let names: [String]

  /// Returns the name that differs least from another one, if it is hardly different.
  /// - Parameter taken: names that are not meant, because they have entities of their own.
  func nearest(to name: String, but taken: Set<String>) -> String? {
    let limit = name.count < 4 ? 1 : name.count < 8 ? 2 : 3
    let found = names.filter { !taken.contains($0) }.map { (name: $0, distance: Self.distance(from: name, to: $0)) }
      .filter { $0.distance <= limit }
    return found.min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
  }

  /// The number of characters to insert, delete, replace or swap with the next one; those that differ only in case count
  /// as equal.
  private static func distance(from first: String, to second: String) -> Int {
    let (first, second) = (Array(first.lowercased()), Array(second.lowercased()))
    var rows = [Array(0...second.count)]
    for (row, character) in first.enumerated() {
      var next = [row + 1]
      for (column, other) in second.enumerated() {
        var cost = min(next[column], rows[row][column + 1]) + 1
        cost = min(cost, rows[row][column] + (character == other ? 0 : 1))
        if row > 0, column > 0, character == second[column - 1], other == first[row - 1] {
          cost = min(cost, rows[row - 1][column - 1] + 1)
        }
        next.append(cost)
      }
      rows.append(next)
    }
    return rows[first.count][second.count]
  }
}
