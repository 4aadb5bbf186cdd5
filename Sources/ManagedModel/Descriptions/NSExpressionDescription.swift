import Foundation
import StrataPredicates

/// A computed column of a dictionary fetch: an aggregate such as `sum:`, or an expression over properties.
///
/// It belongs to no entity. Put it into `NSFetchRequest.propertiesToFetch`.
///
/// ```swift
/// let strongest = NSExpressionDescription()
/// strongest.name = "strongest"
/// strongest.expression = NSExpression(format: "max:(magnitude)")
/// strongest.resultType = .double
///
/// let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
/// request.resultType = .dictionaryResultType
/// request.propertiesToFetch = [strongest]
/// ```
///
/// See <https://developer.apple.com/documentation/coredata/nsexpressiondescription>
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  /// The expression that is evaluated for each dictionary.
  public var expression: StrataPredicates.NSExpression? {
    get { givenExpression }
    set { edit(&givenExpression, to: newValue) }
  }
  private var givenExpression: StrataPredicates.NSExpression?

  /// The type that the value is converted to. Default: undefined, which leaves the value as it is.
  public var expressionResultType: NSAttributeType {
    get { givenExpressionResultType }
    set { edit(&givenExpressionResultType, to: newValue) }
  }
  private var givenExpressionResultType: NSAttributeType = .undefinedAttributeType

  /// The type that the value is converted to, under its Swift name.
  public var resultType: NSAttributeDescription.AttributeType {
    get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
    set { expressionResultType = newValue.rawValue }
  }

  package override func makeCopy() -> NSPropertyDescription {
    let copy = NSExpressionDescription()
    copy.copyContents(from: self)
    return copy
  }

  package override func hasSameContent(as other: NSPropertyDescription) -> Bool {
    guard let other = other as? NSExpressionDescription else { return false }
    return super.hasSameContent(as: other) && expression == other.expression
      && expressionResultType == other.expressionResultType
  }

  package override func copyContents(from other: NSPropertyDescription) {
    super.copyContents(from: other)
    guard let other = other as? NSExpressionDescription else { return }
    expression = other.expression
    expressionResultType = other.expressionResultType
  }
}
