import Foundation
import StrataRuntime
import Synchronization

/// The mapping models embedded in the program.
package enum EmbeddedMappings {
  private static let entries = Mutex<[CarriedFile]>([])

  static func register(_ file: CarriedFile) { entries.withLock { $0.append(file) } }

  /// The mapping models as files: `Books2.cdm`.
  package static var files: [CarriedFile] {
    ProgramRecords.register()
    return entries.withLock { $0 }
  }
}

extension NSMappingModel {
  /// Registers a mapping model that is embedded in the program.
  ///
  /// Only for code that the model plugin generates. It stores pointers and decodes nothing.
  /// - Parameters:
  ///   - name: the name of the mapping model's folder without its extension.
  ///   - module: the module that it belongs to.
  ///   - base64: what Xcode wrote into it.
  public static func _registerEmbedded(_ name: StaticString, module: StaticString, base64: StaticString) {
    EmbeddedMappings.register(CarriedFile(path: "\(name).cdm", module: "\(module)", base64: base64))
  }
}
