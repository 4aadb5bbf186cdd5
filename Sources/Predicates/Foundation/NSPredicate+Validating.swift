import Foundation

extension NSPredicate {
  /// Creates a predicate from a format string that a user has written, such as a filter on the command line.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Quake>(entityName: "Quake")
  /// request.predicate = try NSPredicate(
  ///   validating: "magnitude >= 6 AND place CONTAINS[c] 'tonga'")
  /// ```
  ///
  /// Apple's framework has no such initializer: of a format that cannot be parsed it raises an exception. Whether the entity has
  /// the properties is checked by the fetch, which throws too. A format may read every property of the objects, and of those
  /// that they lead to. To filter objects in memory, use ``evaluate(validating:substitutionVariables:)``.
  ///
  /// A format has at most 5,000 comparisons, which bounds the time that a store takes to prepare it. Equalities of one
  /// property that are joined by OR count as one, like `IN` with a list.
  /// - Throws: `CocoaError.formatting`, whose description names the column and what was expected there.
  public convenience init(validating format: String, argumentArray arguments: [Any] = []) throws {
    do throws(PredicateSyntaxError) {
      let tree = try PredicateParser.tree(format, arguments: arguments)
      let count = tree.listingEqualities.comparisonCount
      if count > Self.maximumComparisons {
        throw PredicateSyntaxError(
          format: "\(format.prefix(80))…", column: 1,
          problem: "expected at most \(Self.maximumComparisons) comparisons, found \(count); compare with a list by IN")
      }
      self.init(replacedBy: NSPredicate.predicate(with: tree))
    } catch {
      throw CocoaError(
        .formatting,
        userInfo: [
          NSLocalizedDescriptionKey: "\(error)", NSLocalizedFailureReasonErrorKey: "\(error)",
          NSUnderlyingErrorKey: error,
        ])
    }
  }

  /// SQLite takes a time that grows with the square of the comparisons: a second for these.
  private static let maximumComparisons = 5_000

  /// Returns whether the predicate holds for an object, and throws where `evaluate(with:)` stops the program: for a key
  /// that the object does not have, a value of the wrong kind, a variable without a value, or a pattern that cannot be
  /// matched.
  ///
  /// ```swift
  /// let filter = try NSPredicate(validating: "magnitude > 5")
  /// let isListed = try filter.evaluate(validating: quake)
  /// ```
  ///
  /// Apple's framework has no such method. A predicate of a block is evaluated by the block.
  /// - Parameters:
  ///   - object: the object that `SELF` and key paths refer to.
  ///   - variables: the values of variables by name.
  /// - Throws: `CocoaError` 134091, as a fetch with such a predicate does.
  public func evaluate(validating object: Any?, substitutionVariables variables: [String: Any]? = nil) throws -> Bool {
    do {
      return try result(validating: object, variables)
    } catch let error as CocoaError {
      throw error
    } catch {
      let text = "Unable to evaluate the predicate \"\(formatText)\": \(error)"
      throw CocoaError(
        CocoaError.Code(rawValue: 134_091),
        userInfo: [
          NSLocalizedDescriptionKey: text, NSLocalizedFailureReasonErrorKey: "\(error)", NSUnderlyingErrorKey: error,
        ])
    }
  }

  private func result(validating object: Any?, _ variables: [String: Any]?) throws -> Bool {
    switch self {
    case let predicate as any TreePredicate: return try predicate.checkedResult(for: object, variables)
    case let predicate as SwiftPredicate: return try predicate.checkedResult(for: object)
    case let compound as NSCompoundPredicate where type(of: compound) == NSCompoundPredicate.self:
      let parts = compound.subpredicates
      switch compound.compoundPredicateType {
      case .and: return try parts.allSatisfy { try $0.result(validating: object, variables) }
      case .or: return try parts.contains { try $0.result(validating: object, variables) }
      case .not: return try parts.first.map { try !$0.result(validating: object, variables) } ?? true
      }
    default: return evaluate(with: object, substitutionVariables: variables)
    }
  }
}
