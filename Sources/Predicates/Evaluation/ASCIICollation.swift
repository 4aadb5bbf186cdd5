import Foundation

/// Fast comparisons for sorting printable ASCII, byte by byte. `compare` returns nil unless its result is certain to
/// equal Foundation's.
///
/// The locale's order is CLDR's root collation (https://unicode.org/reports/tr35/tr35-collation.html): space,
/// punctuation, symbols, digits, letters. Texts that differ only in case are ordered by the first difference, lower
/// case first.
struct ASCIICollation {
  /// By byte; 0 for bytes that require Foundation.
  private typealias Weights = [UInt8]

  private let weights: Weights
  private let respectsCase: Bool
  private let readsNumbers: Bool

  /// - Returns: nil if the current locale may order ASCII differently.
  init?(_ comparison: SortComparison) {
    switch comparison {
    case .binary: return nil
    case .caseInsensitive: weights = Self.plain
    case .localized, .localizedCaseInsensitive, .localizedStandard:
      guard Self.isRootOrder else { return nil }
      weights = Self.root
    }
    respectsCase = comparison == .localized || comparison == .localizedStandard
    readsNumbers = comparison == .localizedStandard
  }

  /// Whether the language's CLDR collation leaves ASCII letters in root order.
  private static let isRootOrder =
    ["de", "en", "es", "fr", "it", "nl", "pt"].contains(Locale.current.language.languageCode?.identifier)

  /// Lower-case letters by their code, upper-case letters like lower-case ones.
  private static let plain: Weights = (0..<128).map { (code: UInt8) in
    switch code {
    case 32..<127: code &- UInt8(ascii: "A") < 26 ? code | 0x20 : code
    default: 0
    }
  }

  private static let root: Weights = {
    var weights = Weights(repeating: 0, count: 128)
    let order = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
    for (index, code) in order.utf8.enumerated() { weights[Int(code)] = UInt8(index + 1) }
    for code in UInt8(ascii: "A")...UInt8(ascii: "Z") { weights[Int(code)] = weights[Int(code | 0x20)] }
    return weights
  }()

  /// Compares two UTF-8 texts; nil if only Foundation can tell.
  func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> ComparisonResult? {
    weights.withUnsafeBufferPointer { weights in
      var scan = Scan(left: left, right: right)
      while scan.left < left.count, scan.right < right.count {
        let first = left[scan.left]
        let second = right[scan.right]
        if readsNumbers, Self.isDigit(first), Self.isDigit(second) {
          guard let order = scan.compareNumbers() else { return nil }
          if order != .orderedSame { return order }
          continue
        }
        guard first < 128, second < 128, weights[Int(first)] != 0, weights[Int(second)] != 0 else { return nil }
        if weights[Int(first)] != weights[Int(second)] {
          // A combining accent may follow the letter.
          return scan.isFollowedByOther ? nil : order(weights[Int(first)] < weights[Int(second)])
        }
        if respectsCase, scan.tie == .orderedSame, first != second { scan.tie = order(first > second) }
        scan.left += 1
        scan.right += 1
      }
      return scan.end(weights)
    }
  }

  private func order(_ isAscending: Bool) -> ComparisonResult { isAscending ? .orderedAscending : .orderedDescending }

  fileprivate static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

/// The position of a comparison in both texts.
private struct Scan {
  let leftBytes: UnsafeRawBufferPointer
  let rightBytes: UnsafeRawBufferPointer
  var left = 0
  var right = 0
  /// The order of the first letters that differ in case.
  var tie = ComparisonResult.orderedSame

  /// Longer runs of digits are left to Foundation.
  private static let maximumDigits = 15

  init(left: UnsafeRawBufferPointer, right: UnsafeRawBufferPointer) {
    (leftBytes, rightBytes) = (left, right)
  }

  /// Whether the next byte in one of the texts is not ASCII.
  var isFollowedByOther: Bool {
    (left + 1 < leftBytes.count && leftBytes[left + 1] >= 128)
      || (right + 1 < rightBytes.count && rightBytes[right + 1] >= 128)
  }

  /// Consumes a number in both texts and compares them; nil for leading zeros, with which a number has several
  /// spellings.
  mutating func compareNumbers() -> ComparisonResult? {
    let leftEnd = Self.end(of: leftBytes, from: left)
    let rightEnd = Self.end(of: rightBytes, from: right)
    let leftCount = leftEnd - left
    let rightCount = rightEnd - right
    guard leftCount <= Self.maximumDigits, rightCount <= Self.maximumDigits,
      leftCount == 1 || leftBytes[left] != UInt8(ascii: "0"), rightCount == 1 || rightBytes[right] != UInt8(ascii: "0")
    else { return nil }
    if leftCount != rightCount { return leftCount < rightCount ? .orderedAscending : .orderedDescending }
    let order = PredicateValue.compareBytes(
      .init(rebasing: leftBytes[left..<leftEnd]), .init(rebasing: rightBytes[right..<rightEnd]))
    (left, right) = (leftEnd, rightEnd)
    return order
  }

  private static func end(of bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var end = start
    while end < bytes.count, ASCIICollation.isDigit(bytes[end]) { end += 1 }
    return end
  }

  /// The order once a text has ended.
  func end(_ weights: UnsafeBufferPointer<UInt8>) -> ComparisonResult? {
    let next = left < leftBytes.count ? leftBytes[left] : right < rightBytes.count ? rightBytes[right] : nil
    guard let next else { return tie }
    guard next < 128, weights[Int(next)] != 0 else { return nil }
    return left < leftBytes.count ? .orderedDescending : .orderedAscending
  }
}
