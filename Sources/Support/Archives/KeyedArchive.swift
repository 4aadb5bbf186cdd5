import Foundation
import StrataFormats

/// Gives access to the objects of an archive written by Apple's `NSKeyedArchiver`, by class name and key, without
/// instantiating them.
///
///     $archiver "NSKeyedArchiver", $version 100000, $top { root: reference }
///     $objects  [ "$null", { $class: reference, key: value or reference, … }, …, { $classname, $classes } ]
package struct KeyedArchive {
  /// A value in the archive: plain, or an object by its index.
  package enum Value {
    case plain(BinaryPropertyList.Value)
    case object(UID)
  }

  /// The index of an object in the archive; 0 is nil.
  package typealias UID = Int

  private let list: BinaryPropertyList
  /// The property list index of each object.
  private let objects: [Int]
  package let root: UID
  private let memory = Memory()

  /// The objects and dictionaries decoded so far. Readers look up the same ones many times: the editor's archive of a
  /// model has every setting of a property in a dictionary of its own.
  private final class Memory {
    var objects: [UID: (className: String, entries: [String: Int])] = [:]
    var pairs: [UID: [(key: String, value: Value)]] = [:]
  }

  /// Called when all is read: nothing tells which objects are missing from an archive that stands for one without end.
  /// - Parameter file: the file's name in the error.
  package func refuseSpent(file: String) throws(FileFormatError) {
    guard list.isSpent else { return }
    throw FileFormatError(file: file, "too many of the archive's objects share parts")
  }

  /// - Returns: nil if the bytes are not a keyed archive.
  package init?(_ bytes: [UInt8]) {
    guard let list = BinaryPropertyList(bytes), let archive = Self.dictionary(list, at: list.top),
      let objects = archive["$objects"].flatMap(list.value), case .array(let uids) = objects,
      let top = archive["$top"].flatMap({ Self.dictionary(list, at: $0) }),
      let root = top["root"].flatMap(list.value), case .reference(let uid) = root, uids.indices.contains(uid)
    else { return nil }
    self.list = list
    self.objects = uids
    self.root = uid
  }

  private static func dictionary(_ list: BinaryPropertyList, at number: Int) -> [String: Int]? {
    guard case .dictionary(let pairs) = list.value(number) else { return nil }
    var entries: [String: Int] = [:]
    for (key, value) in pairs {
      // Of values for the same key, Foundation takes the first.
      if case .string(let name) = list.value(key), entries[name] == nil { entries[name] = value }
    }
    return entries
  }

  /// The object at an index; nil for a plain value, such as a string.
  package func object(_ uid: UID) -> ArchivedObject? {
    if let known = memory.objects[uid] {
      return ArchivedObject(archive: self, uid: uid, className: known.className, entries: known.entries)
    }
    guard uid != 0, objects.indices.contains(uid), let entries = Self.dictionary(list, at: objects[uid]),
      let type = entries["$class"].flatMap(list.value), case .reference(let typeUID) = type,
      objects.indices.contains(typeUID), let names = Self.dictionary(list, at: objects[typeUID]),
      let name = names["$classname"].flatMap(list.value), case .string(let className) = name
    else { return nil }
    memory.objects[uid] = (className, entries)
    return ArchivedObject(archive: self, uid: uid, className: className, entries: entries)
  }

  /// The entries of an archived dictionary, decoded once.
  fileprivate func pairs(
    of uid: UID, decoded: () -> [(key: String, value: Value)]
  ) -> [(key: String, value: Value)] {
    if let known = memory.pairs[uid] { return known }
    let pairs = decoded()
    memory.pairs[uid] = pairs
    return pairs
  }

  /// The plain value at an index; nil for an object and for an archived nil.
  package func plain(_ uid: UID) -> BinaryPropertyList.Value? {
    guard uid != 0, objects.indices.contains(uid) else { return nil }
    return list.value(objects[uid])
  }

  fileprivate func value(_ number: Int) -> Value? {
    guard let value = list.value(number) else { return nil }
    guard case .reference(let uid) = value else { return .plain(value) }
    guard uid != 0, objects.indices.contains(uid) else { return nil }
    if let plain = list.value(objects[uid]), !plain.isContainer { return .plain(plain) }
    return .object(uid)
  }

  /// The members of a collection; nil elements stand for archived nils.
  fileprivate func values(_ number: Int) -> [Value?] {
    guard case .array(let numbers) = list.value(number) else { return [] }
    return numbers.map(value)
  }
}

extension BinaryPropertyList.Value {
  fileprivate var isContainer: Bool {
    switch self {
    case .array, .dictionary: true
    default: false
    }
  }
}

/// One object of a keyed archive.
package struct ArchivedObject {
  package let archive: KeyedArchive
  package let uid: KeyedArchive.UID
  package let className: String
  fileprivate let entries: [String: Int]

  /// The keys that the object encodes.
  package var keys: [String] { entries.keys.filter { $0 != "$class" }.sorted() }

  /// The value for a key; nil if absent or an archived nil.
  package subscript(key: String) -> KeyedArchive.Value? { entries[key].flatMap(archive.value) }

  package func object(_ key: String) -> ArchivedObject? {
    guard case .object(let uid) = self[key] else { return nil }
    return archive.object(uid)
  }

  package func text(_ key: String) -> String? { self[key].flatMap(archive.text) }

  package func integer(_ key: String) -> Int? {
    switch self[key] {
    case .plain(.integer(let integer)): Int(truncatingIfNeeded: integer)
    case .plain(.boolean(let flag)): flag ? 1 : 0
    default: nil
    }
  }

  package func flag(_ key: String) -> Bool { integer(key).map { $0 != 0 } ?? false }

  /// The members of the array or set for a key.
  package func members(_ key: String) -> [KeyedArchive.Value] { object(key)?.members ?? [] }

  /// The members of an archived array or set.
  package var members: [KeyedArchive.Value] { uids.compactMap(\.self) }

  private var uids: [KeyedArchive.Value?] { entries["NS.objects"].map(archive.values) ?? [] }

  /// The strings in the array or set for a key.
  package func texts(_ key: String) -> [String] { members(key).compactMap(archive.text) }

  /// The entries of the dictionary for a key, in archive order.
  package func dictionary(_ key: String) -> [(key: String, value: KeyedArchive.Value)] {
    object(key)?.pairs ?? []
  }

  /// The entries of an archived dictionary. Apple's class for dictionaries with known keys stores its keys elsewhere.
  package var pairs: [(key: String, value: KeyedArchive.Value)] { archive.pairs(of: uid) { decodedPairs } }

  private var decodedPairs: [(key: String, value: KeyedArchive.Value)] {
    var names = entries["NS.keys"].map(archive.values) ?? []
    var values = uids
    if let mapping = object("searchMapping") {
      names = mapping.object("keys")?.uids ?? []
      values = object("values")?.uids ?? []
    }
    return zip(names, values).compactMap { name, value in
      guard let name = name.flatMap(archive.text), let value else { return nil }
      return (name, value)
    }
  }
}

extension KeyedArchive {
  /// The text of a string, whether archived as a plain value or as an object.
  package func text(_ value: Value) -> String? {
    switch value {
    case .plain(.string(let text)): return text
    case .object(let uid):
      // Not recursive: an archive may claim that a string contains itself.
      guard case .plain(.string(let text)) = object(uid)?["NS.string"] else { return nil }
      return text
    default: return nil
    }
  }
}

extension KeyedArchive {
  /// The object that a value refers to; nil for a plain value.
  package func object(_ value: Value) -> ArchivedObject? {
    guard case .object(let uid) = value else { return nil }
    return object(uid)
  }
}
