import Foundation
import StrataCSwiftRuntime

/// Values of a type with raw values, by which a getter that returns a raw value as it is stored is told from one that
/// computes another value.
package enum RawValueSamples {
  /// Returns all cases of an enumeration; of another type, those that it lists, and those that it accepts of texts and
  /// numbers in which a computation shows.
  package static func of<Value: RawRepresentable>(_ type: Value.Type) -> [Value] {
    if let cases = cases(of: type) { return cases }
    let listed = (type as? any CaseIterable.Type)?.list as? [Value] ?? []
    let samples = listed + texts(Value.self) + numbers(Value.self, among: distant)
    return samples.count > 1 ? samples : samples + numbers(Value.self, among: Array(16..<1000))
  }

  /// Whether `of(_:)` returns everything that the type has.
  package static func areAll<Value: RawRepresentable>(of type: Value.Type) -> Bool {
    type is any CaseIterable.Type || cases(of: type) != nil
  }

  /// The cases of an enumeration without payloads, which is stored as the number of its case.
  private static func cases<Value>(of type: Value.Type) -> [Value]? {
    let count = Int(strata_plain_cases(unsafeBitCast(type, to: UnsafeRawPointer.self)))
    // A C enumeration has the size of its numbers.
    guard count > 0, MemoryLayout<Value>.size == (count == 1 ? 0 : 1), _isPOD(type) else { return nil }
    return (0..<count).map { number in
      withUnsafeBytes(of: UInt8(truncatingIfNeeded: number)) { $0.loadUnaligned(as: Value.self) }
    }
  }

  private static func texts<Value: RawRepresentable>(_ type: Value.Type) -> [Value] {
    // Empty, of one letter, of blanks, upper and lower case, and of a length that survives no shortening.
    let texts = ["a", "", " Ab cD ", "42", " Sample of é\n" + String(repeating: "xY\n", count: 200)]
    return texts.compactMap { ($0 as? Value.RawValue).flatMap(Value.init) }
  }

  /// Numbers with few bits and with all; the small ones first, which every property takes.
  private static let distant: [Int64] =
    Array(0..<16) + (4..<63).map { 1 << $0 } + [-1, -300, .init(Int16.max), .init(Int32.max), .max]

  private static func numbers<Value: RawRepresentable>(_ type: Value.Type, among numbers: [Int64]) -> [Value] {
    func integer<Number: BinaryInteger>(_ type: Number.Type, _ number: Int64) -> Any? { Number(exactly: number) }
    let convert: (Int64) -> Any? =
      switch Value.RawValue.self {
      case let type as any BinaryInteger.Type: { integer(type, $0) }
      case is Double.Type: { Double($0) + 0.5 }
      case is Float.Type: { Float($0) + 0.5 }
      default: { _ in nil }
      }
    return numbers.compactMap { (convert($0) as? Value.RawValue).flatMap(Value.init) }
  }
}

extension CaseIterable {
  fileprivate static var list: [Self] { Array(allCases) }
}
