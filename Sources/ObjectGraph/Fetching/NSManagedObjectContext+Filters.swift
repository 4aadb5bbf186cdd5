import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Predicates and expressions in the form that a source evaluates: rows instead of objects, and one instant for
/// `now()`.
extension NSManagedObjectContext {
  /// - Throws: code 134091 for a predicate without a tree, or one that compares with something that is not an object.
  package func filter(_ predicate: NSPredicate?, of layout: EntityLayout) throws -> PredicateNode? {
    guard let predicate else { return nil }
    do {
      let tree = try predicate.tree.adaptingConstants(to: layout).listingEqualities
      if let comparison = tree.comparisonWithInvalidPattern {
        throw CocoaError.coreData(
          .unsupported, "The predicate has an invalid pattern: \(comparison) needs a regular expression.")
      }
      if tree.isPlain { return tree }
      let now = Date()
      return try tree.mappingExpressions { node throws(CocoaError) in try self.resolved(node, now: now) }
    } catch let error as UnreadablePredicateError {
      throw CocoaError.coreData(.unsupported, error.description, cause: error)
    }
  }

  /// - Throws: code 134091 for an expression without a tree, or one that contains something that is not an object.
  func resolved(_ expression: StrataPredicates.NSExpression) throws -> ExpressionNode {
    let now = Date()
    do {
      return try expression.node.mapping { node throws(CocoaError) in try self.resolved(node, now: now) }
    } catch let error as UnreadableExpressionError {
      throw CocoaError.coreData(.unsupported, error.description, cause: error)
    }
  }

  private func resolved(_ node: ExpressionNode, now: Date) throws(CocoaError) -> ExpressionNode {
    switch node {
    case .value(let value): .value(try value.mapping { value throws(CocoaError) in try self.row(value) })
    case .function(.now, _): .value(.date(now))
    case .path(.value(let start), let path): try resolved(path, behind: start) ?? node
    case .opaque(let opaque) where opaque.source is ExpressionFetch: try resolved(opaque)
    default: node
    }
  }

  private func row(_ value: PredicateValue) throws(CocoaError) -> PredicateValue {
    guard case .reference(let reference) = value else { return value }
    // The parts of a fetch inside a predicate, and the objects at which paths begin.
    if reference.object is NSPersistentStoreRequest || reference.object is NSManagedObjectContext { return value }
    if reference.object is NSPropertyDescription { return value }
    if let entity = reference.object as? NSEntityDescription { return .string(entity.name ?? "") }
    guard let id = rowID(ofReference: reference.object) else {
      throw CocoaError.coreData(.unsupported, "A predicate compares with \(reference.object), which is not an object.")
    }
    return .row(id.bits)
  }

  /// Returns the result of a fetch inside a predicate, which no store can evaluate on its own.
  private func resolved(_ fetch: OpaqueExpression) throws(CocoaError) -> ExpressionNode {
    let nested = OpaqueExpression(
      fetch.text, arguments: fetch.arguments.map(\.withoutOffset), source: fetch.source, evaluation: fetch.evaluation)
    do throws(PredicateEvaluationError) {
      return .value(try ExpressionNode.opaque(nested).result(for: .value(.null)).constant)
    } catch {
      throw CocoaError.coreData(.unsupported, error.description, cause: error)
    }
  }

  /// Returns the value at the end of a path that begins at an object in the predicate, such as `$FETCH_SOURCE.name`, or
  /// at a property, such as `$FETCHED_PROPERTY.userInfo.place`.
  private func resolved(
    _ path: [String], behind start: PredicateValue
  ) throws(CocoaError) -> ExpressionNode? {
    let subject: (any PredicateSubject)? =
      switch start {
      case .row(let bits): object(RowID(bits: bits))
      case .reference(let reference): reference.object as? any PredicateSubject
      default: nil
      }
    guard let subject else { return nil }
    do throws(PredicateEvaluationError) {
      return .value(try PredicateResult.subject(subject).result(at: path).constant)
    } catch {
      throw CocoaError.coreData(.unsupported, error.description, cause: error)
    }
  }

  private func rowID(ofReference object: NSObject) -> RowID? {
    switch object {
    case let object as NSManagedObject: object.context === self ? object.rowID : rowID(of: object.objectID)
    case let id as NSManagedObjectID: rowID(of: id)
    default: nil
    }
  }
}

extension PredicateNode {
  /// Whether properties are compared only with values, so that nothing has to be replaced.
  fileprivate var isPlain: Bool {
    switch self {
    case .constant: true
    case .comparison(let comparison): comparison.left.isPlain && comparison.right.isPlain
    case .and(let nodes), .or(let nodes): nodes.allSatisfy(\.isPlain)
    case .not(let node): node.isPlain
    }
  }
}

extension ExpressionNode {
  /// The expression itself; for a fetch request, without its offset, as it is evaluated inside another one.
  fileprivate var withoutOffset: ExpressionNode {
    guard case .value(.reference(let reference)) = self,
      let request = reference.object as? any PredicateFetchRequest
    else { return self }
    return .value(.reference(PredicateReference(request.withoutOffset)))
  }

  fileprivate var isPlain: Bool {
    switch self {
    case .value(let value): value.isPlain
    case .keyPath, .evaluatedObject: true
    default: false
    }
  }
}

extension PredicateValue {
  fileprivate var isPlain: Bool {
    switch self {
    case .reference: false
    case .list(let values): values.allSatisfy(\.isPlain)
    default: true
    }
  }
}

extension PredicateResult {
  /// The result as a constant of a predicate.
  fileprivate var constant: PredicateValue {
    switch self {
    case .value(let value): value
    case .subject(let subject): subject.predicateIdentity
    case .members(let members): .list(members.map(\.constant))
    case .unknownKey: .null
    }
  }
}
