import Foundation

/// The ways from Swift's types to Foundation's classes that casts, property lists and notifications take at run time.
///
/// A program that is linked statically has of Foundation only what some code names; without this, `as? NSArray` and a
/// property list with an array fail there, and nowhere else.
enum BridgedTypes {
  /// Names every one of them, and so has them linked.
  @inline(never)
  static func keep() -> Int {
    let objects: [NSObject] = [
      [Any]()._bridgeToObjectiveC(), Set<AnyHashable>()._bridgeToObjectiveC(),
      [AnyHashable: Any]()._bridgeToObjectiveC(), String()._bridgeToObjectiveC(), Data()._bridgeToObjectiveC(),
      Date(timeIntervalSinceReferenceDate: 0)._bridgeToObjectiveC(),
      UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))._bridgeToObjectiveC(),
      URL(fileURLWithPath: "/")._bridgeToObjectiveC(), Decimal()._bridgeToObjectiveC(), 0._bridgeToObjectiveC(),
      0.0._bridgeToObjectiveC(), false._bridgeToObjectiveC(),
    ]
    return objects.count
  }
}
