import Foundation

/// Whether a value is nil in one of its forms: `NSNull`, or an optional in an `Any`, at any depth.
func isNone(_ value: Any) -> Bool {
  if type(of: value) is AnyClass { return value is NSNull }
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .optional else { return false }
  return mirror.children.first.map { isNone($0.value) } ?? true
}
