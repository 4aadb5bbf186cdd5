import Foundation
import StrataPredicates

/// A column of a fetch of dictionaries that is worked out: `sum:` of a property, or an expression of properties.
///
/// It is no property of an entity, but one of `NSFetchRequest.propertiesToFetch`.
/// See https://developer.apple.com/documentation/coredata/nsexpressiondescription
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  /// What is worked out for each dictionary.
  public var expression: StrataPredicates.NSExpression? {
    get { givenExpression }
    set { edit(&givenExpression, newValue) }
  }
  private var givenExpression: StrataPredicates.NSExpression?

  /// What the value becomes. Default: undefined, which leaves it what it is.
  public var expressionResultType: NSAttributeType {
    get { givenExpressionResultType }
    set { edit(&givenExpressionResultType, newValue) }
  }
  private var givenExpressionResultType: NSAttributeType = .undefinedAttributeType

  /// What the value becomes, under the newer names.
  public var resultType: NSAttributeDescription.AttributeType {
    get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
    set { expressionResultType = newValue.rawValue }
  }

  package override func makeCopy() -> NSPropertyDescription {
    let copy = NSExpressionDescription()
    copy.take(from: self)
    return copy
  }

  package override func hasSameContent(as other: NSPropertyDescription) -> Bool {
    guard let other = other as? NSExpressionDescription else { return false }
    return super.hasSameContent(as: other) && expression == other.expression
      && expressionResultType == other.expressionResultType
  }

  package override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSExpressionDescription else { return }
    expression = other.expression
    expressionResultType = other.expressionResultType
  }
}
