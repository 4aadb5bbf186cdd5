import Foundation
import StrataPredicates

/// An attribute whose value the store computes from other properties when an object is saved.
///
/// ```swift
/// let count = NSDerivedAttributeDescription()
/// count.name = "quakeCount"
/// count.type = .integer64
/// count.derivationExpression = NSExpression(format: "quakes.@count")
/// region.entity.properties.append(count)
/// ```
///
/// See <https://developer.apple.com/documentation/coredata/nsderivedattributedescription>
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The derivation as the program set it: its text is part of the version hash.
  package var givenDerivation: ExpressionNode? {
    get { heldDerivation }
    set { edit(&heldDerivation, to: newValue) }
  }
  private var heldDerivation: ExpressionNode?

  /// The derivation: a key path (`region.name`, `quakes.@count`, `quakes.@sum.depth`) or a function
  /// (`canonical:(title)`, `now()`). Counts and sums are key paths here, however they were written.
  package var derivation: ExpressionNode? { givenDerivation?.countingByPath }

  /// The expression that computes the value. A block expression has no meaning for a store and is ignored.
  public var derivationExpression: StrataPredicates.NSExpression? {
    get { givenDerivation.map { .expression(with: $0) } }
    set { givenDerivation = try? newValue?.node }
  }

  package override func makeCopy() -> NSPropertyDescription {
    let copy = NSDerivedAttributeDescription()
    copy.copyContents(from: self)
    return copy
  }

  package override func hasSameContent(as other: NSPropertyDescription) -> Bool {
    guard let other = other as? NSDerivedAttributeDescription else { return false }
    return super.hasSameContent(as: other) && derivationExpression == other.derivationExpression
  }

  package override func copyContents(from other: NSPropertyDescription) {
    super.copyContents(from: other)
    guard let other = other as? NSDerivedAttributeDescription else { return }
    givenDerivation = other.givenDerivation
  }
}

extension ExpressionNode {
  /// Replaces `count:(quakes)` and `sum:(quakes.depth)` by key paths; `quakes.depth.@sum` too.
  fileprivate var countingByPath: ExpressionNode {
    if case .keyPath(let path) = self, path.count > 2, path.last == "@sum" {
      return .keyPath(path.dropLast(2) + ["@sum", path[path.count - 2]])
    }
    guard case .function(let function, let arguments) = self, arguments.count == 1,
      case .keyPath(var path) = arguments[0]
    else { return self }
    switch function {
    case .count: return .keyPath(path + ["@count"])
    case .sum where path.count > 1:
      path.insert("@sum", at: path.count - 1)
      return .keyPath(path)
    default: return self
    }
  }

  /// Replaces `quakes.@count` and `quakes.@sum.depth` by functions, as Apple's parser does.
  package var countingByFunction: ExpressionNode {
    guard case .keyPath(var path) = self else { return self }
    if path.last == "@count" { return .function(.count, [.keyPath(path.dropLast())]) }
    guard let sum = path.firstIndex(of: "@sum") else { return self }
    path.remove(at: sum)
    return .function(.sum, [.keyPath(path)])
  }
}
