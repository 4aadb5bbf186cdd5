import Foundation
import Synchronization

/// The models that the program carries in its code, by name.
///
/// Generated code registers them when the program is loaded, before `main`; each is decoded when it is first asked for,
/// and once.
enum EmbeddedModels {
  private static let entries = Mutex<[Entry]>([])

  private struct Entry: Sendable {
    var name: StaticString
    var module: StaticString
    var isCurrent: Bool
    var base64: StaticString
    var model: NSManagedObjectModel?
  }

  static func register(_ name: StaticString, module: StaticString, isCurrent: Bool, base64: StaticString) {
    entries.withLock { $0.append(Entry(name: name, module: module, isCurrent: isCurrent, base64: base64)) }
  }

  static func contains(_ name: String) -> Bool {
    entries.withLock { entries in entries.contains { "\($0.name)" == name } }
  }

  /// The model with a name; if several modules have one, that of the given module, else the first.
  static func model(named name: String, module: String?) -> NSManagedObjectModel? {
    entries.withLock { entries in
      let places = entries.indices.filter { entries[$0].isCurrent && "\(entries[$0].name)" == name }
      return (places.first { "\(entries[$0].module)" == module } ?? places.first).map { decode(&entries[$0]) }
    }
  }

  /// All of them; older versions only if they are asked for.
  static func all(versions: Bool = false) -> [NSManagedObjectModel] {
    entries.withLock { entries in
      entries.indices.filter { versions || entries[$0].isCurrent }.map { decode(&entries[$0]) }
    }
  }

  private static func decode(_ entry: inout Entry) -> NSManagedObjectModel {
    if let model = entry.model { return model }
    do throws(ModelArchiveError) {
      let text = entry.base64.withUTF8Buffer { Data(buffer: $0) }
      let model = try ModelArchive.model(Data(base64Encoded: text).map(Array.init) ?? [])
      entry.model = model
      return model
    } catch {
      fatalError("Failed to load the model \(entry.name) of the module \(entry.module): \(error)")
    }
  }
}

extension NSManagedObjectModel {
  /// Makes a model that the program carries known by a name, for `NSPersistentContainer(name:)` and
  /// `mergedModel(from:)`.
  ///
  /// For code that the model plugin generates and no other: it calls this when the program is loaded, so this stores
  /// three pointers and decodes nothing.
  /// - Parameters:
  ///   - name: the name of the model's file without its extension.
  ///   - module: the module that the model belongs to, to tell models of one name apart.
  ///   - isCurrent: whether the version is the one in use; older ones are there for stores that were written with them.
  ///   - base64: the bytes that the model compiler wrote.
  public static func _registerEmbedded(
    _ name: StaticString, module: StaticString, isCurrent: Bool = true, base64: StaticString
  ) {
    EmbeddedModels.register(name, module: module, isCurrent: isCurrent, base64: base64)
  }
}
