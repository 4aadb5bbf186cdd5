import Foundation

extension NSPredicate {
  /// Creates a predicate from a format string that a user has written, such as a filter on the command line.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Quake>(entityName: "Quake")
  /// request.predicate = try NSPredicate(validating: "magnitude >= 6 AND place CONTAINS[c] 'tonga'")
  /// ```
  ///
  /// Apple's framework has no such initializer: of a format that cannot be parsed it raises an exception. Whether the entity has
  /// the properties is checked by the fetch, which throws too. A format may read every property of the objects, and of those
  /// that they lead to.
  /// - Throws: `CocoaError.formatting`, whose description names the column and what was expected there.
  public convenience init(validating format: String, argumentArray arguments: [Any] = []) throws {
    do throws(PredicateSyntaxError) {
      self.init(replacedBy: NSPredicate.predicate(with: try PredicateParser.tree(format, arguments: arguments)))
    } catch {
      throw CocoaError(
        .formatting,
        userInfo: [
          NSLocalizedDescriptionKey: "\(error)", NSLocalizedFailureReasonErrorKey: "\(error)",
          NSUnderlyingErrorKey: error,
        ])
    }
  }
}
