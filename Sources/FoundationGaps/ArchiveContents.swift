import Foundation
import StrataSupport

/// The classes of the objects in a keyed archive.
///
/// Foundation on Linux stops the program if an archive contains an object of a class that is not allowed, so the
/// archive is inspected first.
/// See https://github.com/swiftlang/swift-corelibs-foundation/blob/main/Sources/Foundation/NSKeyedUnarchiver.swift
struct ArchiveContents {
  private let objects: [Any]
  private let root: Int

  /// Returns nil if the data is not a keyed archive.
  init?(_ data: Data) {
    if data.starts(with: Data("bplist".utf8)), BinaryPropertyList(Array(data))?.isWhole != true { return nil }
    guard let archive = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
      let objects = archive["$objects"] as? [Any], let top = archive["$top"] as? [String: Any],
      let root = Self.uid(top[NSKeyedArchiveRootObjectKey]), objects.indices.contains(root)
    else { return nil }
    self.objects = objects
    self.root = root
  }

  /// Whether the archived object is of one of the classes, and if it is a collection, all of its contents too.
  func isAllowed(_ classes: [AnyClass]) -> Bool {
    let names = Set(classes.map(NSStringFromClass))
    guard let rootNames = ancestry(of: objects[root]), !names.isDisjoint(with: rootNames) else { return false }
    guard !Set(rootNames).isDisjoint(with: ["NSArray", "NSDictionary", "NSSet"]) else { return true }
    return objects.dropFirst().allSatisfy { object in
      // A class description is not an object itself.
      (object as? [String: Any])?["$classname"] != nil
        || ancestry(of: object).map { !names.isDisjoint(with: $0) } ?? false
    }
  }

  /// Whether the archive contains decimal numbers.
  var hasDecimals: Bool {
    objects.contains { ($0 as? [String: Any])?["$classname"] as? String == ArchivedDecimal.className }
  }

  /// Returns the names of an object's class and its superclasses.
  private func ancestry(of object: Any) -> [String]? {
    switch object {
    case is String: return ["NSString"]
    case is NSNumber: return ["NSNumber"]
    case is Data: return ["NSData"]
    case let object as [String: Any]:
      guard let uid = Self.uid(object["$class"]), objects.indices.contains(uid) else { return nil }
      return (objects[uid] as? [String: Any])?["$classes"] as? [String]
    default: return nil
    }
  }

  /// Returns the index in a reference to an object. The type of references is private to Foundation, so its mirror is
  /// used.
  private static func uid(_ reference: Any?) -> Int? {
    guard let reference else { return nil }
    let number = Mirror(reflecting: reference).children.first { $0.label == "value" }?.value
    return (number as? any BinaryInteger).flatMap { Int(exactly: $0) }
  }
}

/// Archives that are damaged, or contain classes of another program.
extension ArchiveContents {
  /// Whether everything reachable from the archived object exists, is of a known class, and does not form a cycle:
  /// otherwise Foundation stops the program.
  var isReadable: Bool {
    var (path, known) = (Set<Int>(), Set<Int>())
    return isReadable(at: root, within: &path, known: &known)
  }

  /// - Parameters:
  ///   - path: the objects on the path to this one.
  ///   - known: the objects checked so far.
  private func isReadable(at uid: Int, within path: inout Set<Int>, known: inout Set<Int>) -> Bool {
    guard objects.indices.contains(uid), !path.contains(uid), path.count < 500 else { return false }
    guard known.insert(uid).inserted else { return true }
    guard let object = objects[uid] as? [String: Any] else { return isPlain(uid) }
    guard isWhole(object) else { return false }
    path.insert(uid)
    defer { path.remove(uid) }
    for (key, value) in object where key != "$class" {
      for reference in value as? [Any] ?? [value] {
        if let next = Self.uid(reference), !isReadable(at: next, within: &path, known: &known) { return false }
      }
    }
    return true
  }

  /// Whether an object has a known class, and what Foundation's own classes require.
  private func isWhole(_ object: [String: Any]) -> Bool {
    guard let uid = Self.uid(object["$class"]), objects.indices.contains(uid),
      let type = objects[uid] as? [String: Any], let name = type["$classname"] as? String,
      let names = type["$classes"] as? [String], names.first == name, NSClassFromString(name) is any NSCoding.Type
    else { return false }
    func references(_ key: String) -> Int? {
      let members = (object[key] as? [Any])?.map(Self.uid)
      // A collection contains no nil.
      return members?.allSatisfy { $0.map { $0 != 0 } ?? false } == true ? members?.count : nil
    }
    for name in names {
      switch name {
      case "NSArray", "NSSet", "NSOrderedSet": return references("NS.objects") != nil
      case "NSDictionary": return references("NS.keys") != nil && references("NS.keys") == references("NS.objects")
      case "NSDate": return object["NS.time"] is NSNumber
      case "NSUUID": return (object["NS.uuidbytes"] as? Data)?.count == 16
      case "NSData": return object["NS.data"] is Data
      case ArchivedDecimal.className:
        guard let uid = Self.uid(object["NS.mantissa"]) else { return (object["NS.mantissa"] as? Data)?.count == 16 }
        return objects.indices.contains(uid) && (objects[uid] as? Data)?.count == 16
      case "NSString": return object["NS.string"] is String
      case "NSURL":
        guard Self.uid(object["NS.base"]) != nil, let uid = Self.uid(object["NS.relative"]) else { return false }
        return text(uid).flatMap { URL(string: $0) } != nil
      default: continue
      }
    }
    return true
  }

  private func isPlain(_ uid: Int) -> Bool {
    objects[uid] is String || objects[uid] is NSNumber || objects[uid] is Data
  }

  private func text(_ uid: Int) -> String? { objects.indices.contains(uid) ? objects[uid] as? String : nil }
}
