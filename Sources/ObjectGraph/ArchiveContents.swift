import Foundation

/// Which classes a keyed archive would make objects of.
///
/// Foundation on Linux stops the program where an archive holds an object of a class that is not allowed, so it is
/// looked at first. See https://github.com/swiftlang/swift-corelibs-foundation/blob/main/Sources/Foundation/NSKeyedUnarchiver.swift
struct ArchiveContents {
  private let objects: [Any]
  private let root: Int

  /// nil if the data are no keyed archive.
  init?(_ data: Data) {
    guard let archive = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
      let objects = archive["$objects"] as? [Any], let top = archive["$top"] as? [String: Any],
      let root = Self.place(top[NSKeyedArchiveRootObjectKey]), objects.indices.contains(root)
    else { return nil }
    self.objects = objects
    self.root = root
  }

  /// Whether the archived object is of one of the classes, and if it is a collection, everything in it too.
  func isAllowed(_ classes: [AnyClass]) -> Bool {
    let names = Set(classes.map(NSStringFromClass))
    guard let rootNames = ancestry(of: objects[root]), !names.isDisjoint(with: rootNames) else { return false }
    guard !Set(rootNames).isDisjoint(with: ["NSArray", "NSDictionary", "NSSet"]) else { return true }
    return objects.dropFirst().allSatisfy { object in
      // What tells of a class is no object itself.
      (object as? [String: Any])?["$classname"] != nil
        || ancestry(of: object).map { !names.isDisjoint(with: $0) } ?? false
    }
  }

  /// The names of an object's class and of those that it descends from.
  private func ancestry(of object: Any) -> [String]? {
    switch object {
    case is String: return ["NSString"]
    case is NSNumber: return ["NSNumber"]
    case is Data: return ["NSData"]
    case let object as [String: Any]:
      guard let place = Self.place(object["$class"]), objects.indices.contains(place) else { return nil }
      return (objects[place] as? [String: Any])?["$classes"] as? [String]
    default: return nil
    }
  }

  /// The number in a reference to an object. The type of references is Foundation's own, so its mirror is asked.
  private static func place(_ reference: Any?) -> Int? {
    guard let reference else { return nil }
    let number = Mirror(reflecting: reference).children.first { $0.label == "value" }?.value
    return (number as? any BinaryInteger).flatMap { Int(exactly: $0) }
  }
}
