/// The reason a format string is not a predicate.
package struct PredicateSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  package var format: String
  /// The position of the error: Unicode scalars from the start of the format, from 1.
  package var column: Int
  /// The expected and the found text.
  package var problem: String

  package init(format: String, column: Int, problem: String) {
    self.format = format
    self.column = column
    self.problem = problem
  }

  package var description: String {
    "Unable to parse the format string \"\(format)\": column \(column): \(problem)"
  }
}
