import Foundation
import StrataFileFormats

/// Which classes a keyed archive would make objects of.
///
/// Foundation on Linux stops the program where an archive holds an object of a class that is not allowed, so it is
/// looked at first. See https://github.com/swiftlang/swift-corelibs-foundation/blob/main/Sources/Foundation/NSKeyedUnarchiver.swift
struct ArchiveContents {
  private let objects: [Any]
  private let root: Int

  /// nil if the data are no keyed archive.
  init?(_ data: Data) {
    if data.starts(with: Data("bplist".utf8)), BinaryPropertyList(Array(data))?.isWhole != true { return nil }
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

/// Archives that are damaged, or of another program's classes.
extension ArchiveContents {
  /// Whether everything that the archived object leads to is there, is of a class that the program has, and does not lead
  /// back: Foundation stops the program elsewhere.
  var isReadable: Bool {
    var (path, known) = (Set<Int>(), Set<Int>())
    return isReadable(root, &path, &known)
  }

  /// - Parameters:
  ///   - path: the objects on the way to this one.
  ///   - known: those that were looked at.
  private func isReadable(_ place: Int, _ path: inout Set<Int>, _ known: inout Set<Int>) -> Bool {
    guard objects.indices.contains(place), !path.contains(place), path.count < 500 else { return false }
    guard known.insert(place).inserted else { return true }
    guard let object = objects[place] as? [String: Any] else { return isPlain(place) }
    guard isWhole(object) else { return false }
    path.insert(place)
    defer { path.remove(place) }
    for (key, value) in object where key != "$class" {
      for reference in value as? [Any] ?? [value] {
        if let next = Self.place(reference), !isReadable(next, &path, &known) { return false }
      }
    }
    return true
  }

  /// Whether an object has a class that is there, and what Foundation's own classes need.
  private func isWhole(_ object: [String: Any]) -> Bool {
    guard let place = Self.place(object["$class"]), objects.indices.contains(place),
      let type = objects[place] as? [String: Any], let name = type["$classname"] as? String,
      let names = type["$classes"] as? [String], names.first == name, NSClassFromString(name) is any NSCoding.Type
    else { return false }
    func references(_ key: String) -> Int? {
      let members = (object[key] as? [Any])?.map(Self.place)
      // A collection has no nil in it.
      return members?.allSatisfy { $0.map { $0 != 0 } ?? false } == true ? members?.count : nil
    }
    for name in names {
      switch name {
      case "NSArray", "NSSet", "NSOrderedSet": return references("NS.objects") != nil
      case "NSDictionary": return references("NS.keys") != nil && references("NS.keys") == references("NS.objects")
      case "NSDate": return object["NS.time"] is NSNumber
      case "NSUUID": return (object["NS.uuidbytes"] as? Data)?.count == 16
      case "NSData": return object["NS.data"] is Data
      case "NSString": return object["NS.string"] is String
      case "NSURL":
        guard Self.place(object["NS.base"]) != nil, let place = Self.place(object["NS.relative"]) else { return false }
        return text(place).flatMap { URL(string: $0) } != nil
      default: continue
      }
    }
    return true
  }

  private func isPlain(_ place: Int) -> Bool {
    objects[place] is String || objects[place] is NSNumber || objects[place] is Data
  }

  private func text(_ place: Int) -> String? { objects.indices.contains(place) ? objects[place] as? String : nil }
}
