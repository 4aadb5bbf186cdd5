import Foundation

/// References the bridges from Swift's types to Foundation's classes that casts, property lists and notifications need
/// at run time.
///
/// A statically linked program contains only the parts of Foundation that code refers to; without this, `as? NSArray`
/// and a property list with an array would fail, and only there.
enum BridgedTypes {
  /// Uses one of the bridges, by number. The number is unknown at compile time, so all are linked; using each would
  /// take a tenth of a small program's time until its store is open.
  @inline(never)
  static func bridge(number: Int) -> NSObject {
    switch number {
    case 0: [Any]()._bridgeToObjectiveC()
    case 1: Set<AnyHashable>()._bridgeToObjectiveC()
    case 2: [AnyHashable: Any]()._bridgeToObjectiveC()
    case 3: String()._bridgeToObjectiveC()
    case 4: Data()._bridgeToObjectiveC()
    case 5: Date(timeIntervalSinceReferenceDate: 0)._bridgeToObjectiveC()
    case 6: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))._bridgeToObjectiveC()
    case 7: URL(fileURLWithPath: "/")._bridgeToObjectiveC()
    case 8: Decimal()._bridgeToObjectiveC()
    case 9: 0._bridgeToObjectiveC()
    case 10: 0.0._bridgeToObjectiveC()
    default: false._bridgeToObjectiveC()
    }
  }
}
