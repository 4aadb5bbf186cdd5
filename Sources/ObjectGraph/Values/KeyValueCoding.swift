import Foundation
import StrataManagedModel
import StrataPredicates

/// Key-value coding of whatever may be on a key path: managed objects, collections, dictionaries, plain objects.
enum KeyValueCoding {
  /// The keys of a key path.
  static func keys(in keyPath: String) -> ArraySlice<String> { keyPath.split(separator: ".").map(String.init)[...] }

  static func value(of start: Any?, at keys: ArraySlice<String>) -> Any? {
    guard let start, let key = keys.first else { return start }
    let rest = keys.dropFirst()
    if key.hasPrefix("@"), let members = members(of: start) { return combined(members, by: key, rest: rest) }
    return value(of: value(of: start, forKey: key), at: rest)
  }

  static func value(of object: Any, forKey key: String) -> Any? {
    if key == "self" { return object }
    switch object {
    case let object as NSManagedObject: return object.value(forKey: key)
    case let set as NSSet: return set.value(forKey: key)
    case let set as NSOrderedSet: return set.value(forKey: key)
    case let dictionary as [String: Any]: return dictionary[key]
    case let array as NSArray: return array.value(forKey: key)
    case is NSNull: return object
    default:
      do throws(PredicateEvaluationError) {
        return try PredicateResult(plain: object).result(at: [key]).plain
      } catch {
        fatalError("\(error)")
      }
    }
  }

  /// Sets a value of an object, or of each member of a collection.
  static func set(_ value: Any?, of object: Any, forKey key: String) {
    switch object {
    case let object as NSManagedObject: object.setValue(value, forKey: key)
    case is NSNull: return
    default:
      guard let members = members(of: object) else {
        fatalError(
          "[<\(type(of: object))> setValue:forUndefinedKey:]: this class is not key value coding-compliant for the key "
            + "\(key).")
      }
      for member in members { set(value, of: member, forKey: key) }
    }
  }

  static func set(_ value: Any?, of object: Any, at keyPath: String) {
    if let object = object as? NSManagedObject { return object.setValue(value, forKeyPath: keyPath) }
    let keys = keys(in: keyPath)
    guard let last = keys.last, let owner = self.value(of: object, at: keys.dropLast()) else { return }
    set(value, of: owner, forKey: last)
  }

  /// nil if the value is not a collection.
  private static func members(of value: Any) -> [Any]? {
    switch value {
    case let set as NSSet: set.allObjects
    case let set as NSOrderedSet: set.array
    case let array as [Any]: array
    default: nil
    }
  }

  /// https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/KeyValueCoding/CollectionOperators.html
  private static func combined(_ members: [Any], by name: String, rest: ArraySlice<String>) -> Any? {
    if name == "@count" { return NSNumber(value: members.count) }
    let values = members.compactMap { value(of: $0, at: rest) }.filter { !($0 is NSNull) }
    let numbers = values.lazy.compactMap { ($0 as? NSNumber)?.doubleValue }
    switch name {
    case "@sum": return NSNumber(value: numbers.reduce(0, +))
    case "@avg": return values.isEmpty ? nil : NSNumber(value: numbers.reduce(0, +) / Double(values.count))
    case "@min": return values.min(by: isBefore)
    case "@max": return values.max(by: isBefore)
    case "@unionOfObjects": return NSArray(array: values)
    case "@distinctUnionOfObjects": return distinct(values)
    case "@unionOfArrays", "@unionOfSets": return values.flatMap { Self.members(of: $0) ?? [$0] }
    case "@distinctUnionOfArrays", "@distinctUnionOfSets":
      return distinct(values.flatMap { Self.members(of: $0) ?? [$0] })
    default: fatalError("\"\(name)\" is not a collection operator.")
    }
  }

  static func distinct(_ values: [Any]) -> [Any] {
    var seen: Set<AnyHashable> = []
    return values.filter { ($0 as? AnyHashable).map { seen.insert($0).inserted } ?? true }
  }

  private static func isBefore(_ left: Any, _ right: Any) -> Bool {
    switch (left, right) {
    case (let left as NSNumber, let right as NSNumber): left.compare(right) == .orderedAscending
    case (let left as String, let right as String): left < right
    case (let left as Date, let right as Date): left < right
    default: false
    }
  }
}

/// Whether a value is nil in one of its forms: `NSNull`, or an optional in an `Any`, at any depth.
func isNone(_ value: Any) -> Bool {
  if type(of: value) is AnyClass { return value is NSNull }
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .optional else { return false }
  return mirror.children.first.map { isNone($0.value) } ?? true
}
