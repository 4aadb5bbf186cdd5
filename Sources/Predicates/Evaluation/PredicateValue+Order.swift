import Foundation

/// Equality and order of constants, by evaluation rules (2) and (5) to (8).
extension PredicateValue {
  func equals(_ other: PredicateValue, options: ComparisonNode.Options) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.null, _), (_, .null): return false
    case (.string(let left), .string(let right)): return PredicateText.equal(left, right, options: options)
    case (.integer(let left), .integer(let right)): return left == right
    case (.real(let left), .real(let right)): return left == right
    case (.reference(let left), .reference(let right)):
      if let subject = left.object as? any PredicateSubject { return subject.represents(other) }
      if let subject = right.object as? any PredicateSubject { return subject.represents(self) }
      return left == right
    case (.reference(let reference), .row), (.row, .reference(let reference)):
      guard let subject = reference.object as? any PredicateSubject else { return false }
      return subject.represents(self) || subject.represents(other)
    case (.row(let left), .row(let right)): return left == right
    case (.list(let left), .list(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.equals($1, options: options) }
    default: return compared(to: other, options) == .orderedSame
    }
  }

  /// Compares two values of one kind; nil if a side is nil, the kinds differ or have no order.
  func compared(to other: PredicateValue, _ options: ComparisonNode.Options) -> ComparisonResult? {
    switch (self, other) {
    case (.real(let left), .real(let right)): return Self.compare(left, right)
    case (.integer(let left), .integer(let right)): return Self.compare(left, right)
    case (.string(let left), .string(let right)): return PredicateText.compare(left, right, options: options)
    case (.date(let left), .date(let right)):
      return Self.compare(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
    case (.uuid(let left), .uuid(let right)):
      return withUnsafeBytes(of: left.uuid) { left in
        withUnsafeBytes(of: right.uuid) { Self.compareBytes(left, $0) }
      }
    case (.data(let left), .data(let right)):
      return left.withUnsafeBytes { left in right.withUnsafeBytes { Self.compareBytes(left, $0) } }
    default:
      if let left = text, let right = other.text { return PredicateText.compare(left, right, options: options) }
      return numericallyCompared(to: other)
    }
  }

  static func compare<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult? {
    if left < right { return .orderedAscending }
    if left > right { return .orderedDescending }
    return left == right ? .orderedSame : nil
  }

  static func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> ComparisonResult {
    let common = min(left.count, right.count)
    if common > 0, let start = left.baseAddress, let other = right.baseAddress {
      let difference = memcmp(start, other, common)
      if difference != 0 { return difference < 0 ? .orderedAscending : .orderedDescending }
    }
    if left.count == right.count { return .orderedSame }
    return left.count < right.count ? .orderedAscending : .orderedDescending
  }
}

/// The total order used for sorting.
extension PredicateValue {
  /// Ascending order: nil first, then by kind, then by value; text by UTF-8 bytes, NaN before all other numbers.
  package static func order(_ left: PredicateValue, _ right: PredicateValue) -> ComparisonResult {
    if let result = left.compared(to: right, []) { return result }
    if left.rank != right.rank { return left.rank < right.rank ? .orderedAscending : .orderedDescending }
    switch (left, right) {
    case (.row(let left), .row(let right)): return compare(left, right) ?? .orderedSame
    case (.list(let left), .list(let right)):
      for (left, right) in zip(left, right) {
        let result = order(left, right)
        if result != .orderedSame { return result }
      }
      return compare(left.count, right.count) ?? .orderedSame
    default: return .orderedSame
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .real(let real) where real.isNaN: 1
    case .bool, .integer, .real, .decimal: 2
    case .string, .url: 3
    case .date: 4
    case .data: 5
    case .uuid: 6
    case .row: 7
    case .reference: 8
    case .list: 9
    }
  }
}
