import Foundation

/// The comparison of values by a sort descriptor.
package enum SortMethod {
  case comparison(SortComparison)
  /// A method of the program's own, which Swift on Linux cannot call by name.
  case selector(Selector)
  /// A closure, which sorts in memory only.
  case comparator(Comparator)

  init(_ selector: Selector?) {
    let comparison = selector.map(SortComparison.init(selector:)) ?? .binary
    self = comparison.map(SortMethod.comparison) ?? .selector(selector ?? "compare:")
  }

  fileprivate var selector: Selector? {
    switch self {
    case .comparison(let comparison): comparison.selector
    case .selector(let selector): selector
    case .comparator: nil
    }
  }
}

/// The class of descriptors that `NSSortDescriptor(key:ascending:)` and its kin create.
package final class KeySortDescriptor: NSSortDescriptor {
  package let name: String?
  package let path: [String]
  package let method: SortMethod

  package init(name: String?, ascending: Bool, method: SortMethod = .comparison(.binary)) {
    self.name = name
    self.method = method
    path = name?.split(separator: ".").map(String.init) ?? []
    // Foundation requires a Swift key path; comparing uses the name instead.
    super.init(keyPath: \String.self, ascending: ascending)
  }

  override package func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    let order =
      switch method {
      case .comparison(let comparison):
        PredicateValue.order(value(of: object1), value(of: object2), by: comparison)
      case .comparator(let comparator): order(object(of: object1), object(of: object2), by: comparator)
      case .selector(let selector):
        fatalError("\(type(of: object1)): unrecognized selector \(selector) in a sort by \"\(name ?? "SELF")\"")
      }
    return ascending ? order : PredicateValue.reversed(order)
  }

  /// Compares two values that the descriptor sorts by, in ascending order, where `compare(_:to:)` compares two objects.
  override package var comparator: Comparator {
    switch method {
    case .comparator(let comparator): comparator
    case .comparison(let comparison): comparison.comparator
    case .selector(let selector):
      { value, _ in fatalError("\(type(of: value)): unrecognized selector \(selector)") }
    }
  }

  /// Comparators never receive nil, which sorts first.
  private func order(_ left: Any?, _ right: Any?, by comparator: Comparator) -> ComparisonResult {
    guard let left else { return right == nil ? .orderedSame : .orderedAscending }
    return right.map { comparator(left, $0) } ?? .orderedDescending
  }

  private func value(of object: Any) -> PredicateValue {
    found(in: object) { result throws(PredicateEvaluationError) in try result.sortValue(at: path) }
  }

  /// The argument for a comparator.
  private func object(of object: Any) -> Any? {
    guard !path.isEmpty else { return object }
    return found(in: object) { result throws(PredicateEvaluationError) in try result.result(at: path) }.sortedObject
  }

  private func found<Found>(
    in object: Any, _ find: (PredicateResult) throws(PredicateEvaluationError) -> Found
  ) -> Found {
    do throws(PredicateEvaluationError) { return try find(PredicateResult(plain: object)) } catch {
      fatalError("Unable to sort by \"\(name ?? "SELF")\": \(error)")
    }
  }

  override package var reversedSortDescriptor: Any {
    KeySortDescriptor(name: name, ascending: !ascending, method: method)
  }

  override package var classForCoder: AnyClass { NSSortDescriptor.self }

  /// Descriptors with comparators are equal only if identical.
  override package func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KeySortDescriptor else { return false }
    if case .comparator = method { return self === other }
    return other.name == name && other.ascending == ascending && other.method.selector == method.selector
  }

  override package var hash: Int {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(ascending)
    hasher.combine(method.selector)
    return hasher.finalize()
  }

  override package var description: String {
    "(\(name ?? "SELF"), \(ascending ? "ascending" : "descending"), \(method.selector?.description ?? "comparator"))"
  }
}

extension PredicateResult {
  /// The value to sort by at a key path; an object counts as its identity.
  package func sortValue(at path: [String]) throws(PredicateEvaluationError) -> PredicateValue {
    switch try result(at: path) {
    case .value(let value): value
    case .subject(let subject): subject.predicateIdentity
    case .members, .unknownKey: throw .needsQuantifier(keyPath: path.joined(separator: "."))
    }
  }
}

extension PredicateResult {
  /// The Swift value or object that the result stands for.
  fileprivate var sortedObject: Any? {
    switch self {
    case .value(let value): value.sortedObject
    case .subject(let subject): subject.predicateObject
    case .members(let members): members.map { $0.sortedObject ?? NSNull() }
    case .unknownKey: nil
    }
  }
}

extension PredicateValue {
  fileprivate var sortedObject: Any? {
    switch self {
    case .null: nil
    case .bool(let flag): flag
    case .integer(let integer): Int(integer)
    case .real(let real): real
    case .decimal(let decimal): decimal
    case .string(let string): string
    case .date(let date): date
    case .data(let data): data
    case .uuid(let uuid): uuid
    case .url(let url): url
    case .list(let values): values.map { $0.sortedObject ?? NSNull() }
    case .reference(let reference): reference.object
    case .row(let bits): bits
    }
  }
}

extension NSSortDescriptor {
  /// Creates a descriptor that sorts by the values at a key path such as `"region.name"`, or by the objects themselves
  /// for nil.
  ///
  /// In ascending order, nil comes first, numbers are ordered by value, strings by their UTF-8 bytes, dates by time.
  public convenience init(key: String?, ascending: Bool) {
    self.init(replacedBy: KeySortDescriptor(name: key, ascending: ascending))
  }

  /// Creates a descriptor that sorts by the values at a key path, with strings compared by a method of `NSString`.
  ///
  /// The method is `compare:` (also for nil), `caseInsensitiveCompare:`, `localizedCompare:`,
  /// `localizedCaseInsensitiveCompare:` or `localizedStandardCompare:`. With any other, a fetch throws and sorting in
  /// memory stops the program: Swift on Linux cannot call a method by its name.
  ///
  /// ```swift
  /// request.sortDescriptors = [
  ///   // The order that readers expect. By bytes, "Zoo" comes before "ant".
  ///   NSSortDescriptor(
  ///     key: "title", ascending: true, selector: "localizedStandardCompare:")
  /// ]
  /// ```
  public convenience init(key: String?, ascending: Bool, selector: Selector?) {
    self.init(replacedBy: KeySortDescriptor(name: key, ascending: ascending, method: SortMethod(selector)))
  }

  /// Creates a descriptor that sorts objects in memory with a closure that compares the values at a key path. A fetch
  /// with it throws.
  public convenience init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
    self.init(replacedBy: KeySortDescriptor(name: key, ascending: ascending, method: .comparator(cmptr)))
  }

  /// The key path that the descriptor sorts by; nil for a Swift key path that names no property of a model in use.
  public var key: String? { (self as? KeySortDescriptor)?.name ?? (self as? KeyPathSortDescriptor)?.name }

  /// The method that compares the values; nil for a descriptor made of a comparator.
  public var selector: Selector? {
    (self as? KeySortDescriptor)?.method.selector ?? (self as? KeyPathSortDescriptor)?.comparison.selector
  }
}
