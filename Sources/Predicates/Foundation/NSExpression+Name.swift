import Foundation

// Foundation for Linux has `NSExpression` and `NSComparisonPredicate` as deprecated shells: nothing in them can be made or
// asked. A class of ours with the same name would be another class in every file that imports Foundation too, so these
// names mean Foundation's classes, without the warning where they are imported first, as in `import CoreData`,
// `import Foundation`. The members come from extensions of a protocol, because an extension of a deprecated class warns.

/// Names a class without saying its name.
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

/// Lets an initialiser of an extension return a subclass; a class's own initialiser cannot replace `self`.
extension NSCopying {
  init(replacedBy object: AnyObject) {
    // Called on a class of Foundation with an object of a subclass.
    self = object as! Self
  }
}
