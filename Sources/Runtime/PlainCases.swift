/// The first case of an enumeration without payloads.
///
/// Swift stores such an enumeration as the number of its case, from 0, if it is declared in Swift. `_isPOD` is public, but
/// underscored. An enumeration of more than 256 cases is not recognized.
package enum PlainCases {
  /// Returns the value that is stored as 0; nil if the type is not stored in a byte without references.
  package static func first<Value>(of type: Value.Type) -> Value? {
    guard isFirstCaseZero, MemoryLayout<Value>.size <= 1, _isPOD(type) else { return nil }
    return withUnsafeBytes(of: UInt8(0)) { $0.loadUnaligned(as: Value.self) }
  }

  /// Whether this Swift counts from 0.
  package static let isFirstCaseZero =
    MemoryLayout<Sample>.size == 1 && withUnsafeBytes(of: Sample.first) { $0.first == 0 }

  private enum Sample { case first, second }
}
