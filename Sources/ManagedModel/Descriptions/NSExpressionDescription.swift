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

  // MARK: Archives

  /// Creates a column without a name or an expression.
  public override init() { super.init() }

  package override var isPlaced: Bool { false }

  /// Archives the column. An expression made of a block, or with an object in it, stops the program.
  open override func encode(with coder: NSCoder) {
    coder.encode(NSString(string: name), forKey: "name")
    coder.encode(Int(expressionResultType.rawValue), forKey: "resultType")
    guard let expression else { return }
    let text = expression.description
    guard let node = try? PredicateParser.expression(text),
      StrataPredicates.NSExpression.expression(with: node) == expression
    else {
      fatalError("The expression \(text) has no text, so no archive can hold it.")
    }
    coder.encode(NSString(string: text), forKey: "expression")
  }

  /// Creates a column from an archive made by this framework; nil for any other archive.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
    self.name = name as String
    let type = NSAttributeType(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "resultType")))
    expressionResultType = type ?? .undefinedAttributeType
    guard coder.containsValue(forKey: "expression") else { return }
    guard let text = coder.decodeObject(of: NSString.self, forKey: "expression"),
      let node = try? PredicateParser.expression(text as String)
    else { return nil }
    expression = .expression(with: node)
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
