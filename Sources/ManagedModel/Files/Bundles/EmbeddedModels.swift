import Foundation
import StrataRuntime
import StrataSupport
import Synchronization

/// The models embedded in the program, by name.
///
/// Generated code registers them when one is first looked for; each is decoded once, on first use.
enum EmbeddedModels {
  private static let entries = Mutex<[Entry]>([])
  /// The names for which a warning about several modules was printed.
  private static let ambiguous = Mutex<Set<String>>([])

  private struct Entry: Sendable {
    var name: StaticString
    var module: StaticString
    /// Empty for a model without versions.
    var version: StaticString
    var isCurrent: Bool
    var base64: StaticString
    var model: NSManagedObjectModel?

    /// The version's file name.
    var path: String { version.utf8CodeUnitCount == 0 ? "\(name).mom" : "\(name).momd/\(version).mom" }
  }

  static func register(
    _ name: StaticString, module: StaticString, version: StaticString, isCurrent: Bool, base64: StaticString
  ) {
    entries.withLock {
      $0.append(Entry(name: name, module: module, version: version, isCurrent: isCurrent, base64: base64))
    }
  }

  private static func withEntries<Result: Sendable>(_ body: (inout [Entry]) -> Result) -> Result {
    ProgramRecords.register()
    return entries.withLock { body(&$0) }
  }

  static func contains(_ name: String) -> Bool {
    withEntries { entries in entries.contains { "\($0.name)" == name } }
  }

  /// Returns the model with a name; if several modules have one, that of the given module, else that of the program's
  /// module, else the first, with a warning.
  static func model(named name: String, module: String?) -> NSManagedObjectModel? {
    withEntries { entries in
      let indexes = entries.indices.filter { entries[$0].isCurrent && "\(entries[$0].name)" == name }
      let modules = indexes.map { "\(entries[$0].module)" }
      let own = modules.firstIndex { $0 == module } ?? modules.firstIndex(of: MainModule.name)
      if own == nil, modules.count > 1, ambiguous.withLock({ $0.insert(name).inserted }) {
        Diagnostics.report(
          "warning: The modules \(modules.joined(separator: ", ")) each have a model named '\(name)'; that of "
            + "\(modules[0]) is used. To choose, subclass NSPersistentContainer in the module of the model.")
      }
      return indexes.isEmpty ? nil : decode(&entries[indexes[own ?? 0]])
    }
  }

  /// Returns all models, those of the program's module first; older versions only if requested.
  static func all(versions: Bool = false) -> [NSManagedObjectModel] {
    withEntries { entries in
      let indexes = entries.indices.filter { versions || entries[$0].isCurrent }
      let own = indexes.filter { "\(entries[$0].module)" == MainModule.name }
      return (own + indexes.filter { !own.contains($0) }).map { decode(&entries[$0]) }
    }
  }

  /// Returns the models that can be merged: skips, with a warning, a library's model whose entity has the same name as
  /// a different one before it. On Apple's systems, a library's models are in their own bundle.
  static func mergeable() -> [NSManagedObjectModel] {
    var hashes: [String: Data] = [:]
    return all().filter { model in
      let own = model.entityVersionHashesByName
      let other = own.keys.sorted().first { name in hashes[name].map { $0 != own[name] } ?? false }
      if let other {
        if ambiguous.withLock({ $0.insert("Entity/\(other)").inserted }) {
          Diagnostics.report(
            "warning: Two modules have different entities named '\(other)'; the model of the second is not merged. "
              + "Load it by its name.")
        }
        return false
      }
      hashes.merge(own) { first, _ in first }
      return true
    }
  }

  /// The models as files, those of the program's module first: `Books.momd` for those with versions and
  /// `Books.momd/Books 2.mom` for each of them, `Books.mom` for others.
  static var files: [CarriedFile] {
    let entries = withEntries { $0 }
    let own = entries.filter { "\($0.module)" == MainModule.name }
    return (own + entries.filter { "\($0.module)" != MainModule.name }).flatMap { entry in
      let version = CarriedFile(path: entry.path, module: "\(entry.module)", base64: entry.base64)
      guard entry.isCurrent, entry.version.utf8CodeUnitCount > 0 else { return [version] }
      return [CarriedFile(path: "\(entry.name).momd", module: version.module, base64: entry.base64), version]
    }
  }

  private static func decode(_ entry: inout Entry) -> NSManagedObjectModel {
    if let model = entry.model { return model }
    do throws(ModelArchiveError) {
      let model = NSManagedObjectModel()
      for warning in try ModelArchive.read(CarriedFile.bytes(entry.base64), into: model) {
        Diagnostics.report("warning: The model \(entry.name) of the module \(entry.module): \(warning)")
      }
      model.setClassHome("\(entry.module)")
      entry.model = model
      return model
    } catch {
      fatalError("Failed to load the model \(entry.name) of the module \(entry.module): \(error)")
    }
  }
}

extension NSManagedObjectModel {
  /// Registers a model that is embedded in the program, for `NSPersistentContainer(name:)` and `mergedModel(from:)`.
  ///
  /// Only for code that the model plugin generates. It stores three pointers and decodes nothing.
  /// - Parameters:
  ///   - name: the name of the model's file without its extension.
  ///   - module: the module that the model belongs to, to distinguish models with the same name.
  ///   - version: the name of the version, if the model has several files.
  ///   - isCurrent: whether the version is the current one; older ones are for stores that were written with them.
  ///   - base64: the bytes that the model compiler wrote.
  public static func _registerEmbedded(
    _ name: StaticString, module: StaticString, version: StaticString = "", isCurrent: Bool = true, base64: StaticString
  ) {
    EmbeddedModels.register(name, module: module, version: version, isCurrent: isCurrent, base64: base64)
  }
}
