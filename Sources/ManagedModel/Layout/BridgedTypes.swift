import Foundation

/// The ways from Swift's types to Foundation's classes that casts, property lists and notifications take at run time.
///
/// A program that is linked statically has of Foundation only what some code names; without this, `as? NSArray` and a
/// property list with an array fail there, and nowhere else.
enum BridgedTypes {
  /// One of the ways, by its number. The number is not known before the program runs, so all of them are linked; to take
  /// each of them would be a tenth of what a small program does until its store is open.
  @inline(never)
  static func way(_ number: Int) -> NSObject {
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
