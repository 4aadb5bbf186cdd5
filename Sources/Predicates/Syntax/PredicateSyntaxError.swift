/// A format string that is no predicate.
package struct PredicateSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  package var format: String
  /// Where the text stops making sense: Unicode scalars from the start of the format, the first being 1.
  package var column: Int
  /// What would have been right there, and what was found.
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
