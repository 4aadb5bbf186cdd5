import Foundation

// On Linux, Foundation's `NSExpression` and `NSComparisonPredicate` are deprecated shells that cannot be created or
// inspected. Classes of our own with these names would be ambiguous wherever Foundation is imported too. So these
// aliases name Foundation's classes, without the deprecation warning if they are imported first, as in `import
// CoreData`, `import Foundation`. Members are added through a protocol extension, because extending a deprecated class
// warns.

/// Refers to a class without naming it.
public protocol _ClassNaming {
  associatedtype Named
  func named() -> Named
}

public enum _ExpressionName: _ClassNaming {
  @available(*, deprecated)
  public func named() -> Foundation.NSExpression { switch self {} }
}

public enum _ExpressionTypeName: _ClassNaming {
  @available(*, deprecated)
  public func named() -> Foundation.NSExpression.ExpressionType { switch self {} }
}

public enum _ComparisonName: _ClassNaming {
  @available(*, deprecated)
  public func named() -> Foundation.NSComparisonPredicate { switch self {} }
}

/// An expression of the predicate language: one side of a comparison, or a computed column of a fetch.
///
/// ```swift
/// let average = NSExpression(format: "average:(magnitude)")
/// let name = NSExpression(forKeyPath: "region.name")
/// let sum = NSExpression(forFunction: "add:to:", arguments: [1, 2])
/// print(sum.expressionValue(with: nil, context: nil) ?? "")  // 3
/// ```
///
/// Foundation on Linux has a deprecated class of the same name. `typealias NSExpression = CoreData.NSExpression`, once
/// in a module, makes the name mean this one. Its members are listed under `NSCopying` in the extensions of Foundation.
///
/// See <https://developer.apple.com/documentation/foundation/nsexpression>
public typealias NSExpression = _ExpressionName.Named

/// A predicate that compares the values of two expressions.
///
/// Its members are listed under `NSCopying` in the extensions of Foundation.
///
/// See <https://developer.apple.com/documentation/foundation/nscomparisonpredicate>
public typealias NSComparisonPredicate = _ComparisonName.Named

/// Lets an initializer return a subclass instance; a class's own initializers cannot replace `self`.
extension NSCopying {
  init(replacedBy object: AnyObject) {
    // Called on a Foundation class with an instance of a subclass.
    self = object as! Self
  }
}
