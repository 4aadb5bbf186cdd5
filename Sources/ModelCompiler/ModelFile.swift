import Foundation
import ManagedModel

/// The Swift file that carries a target's models, and makes them known when the program is loaded.
struct ModelFile {
  let module: String
  let models: [ModelSource]

  /// The file's text, and what in the models could not be used.
  func text() throws -> (text: String, warnings: [ModelWarning]) {
    var text = "// Made by CoreDataModel from the target's models.\n"
    if models.isEmpty { return (text, []) }
    var (calls, warnings) = ("", [ModelWarning]())
    for model in models {
      for version in [model.current] + model.older {
        let (built, found) = try version.document.makeModel(module: module)
        warnings += found
        let bytes = try ModelArchive.bytes(of: built)
        let isCurrent = version.name == model.current.name
        calls += call(isCurrent ? model.name : version.name, isCurrent, Data(bytes).base64EncodedString())
      }
    }
    text += """
      import CoreData

      #if compiler(<6.3)
        #error("CoreDataModel: models are embedded by a feature of Swift 6.3: build with that or a newer toolchain")
      #endif

      // The loader calls what stands in this section, before main.
      @section(".init_array") @used
      nonisolated private let registerModels: @convention(c) () -> Void = {
      \(calls)}

      """
    return (text, warnings)
  }

  private func call(_ name: String, _ isCurrent: Bool, _ base64: String) -> String {
    """
      NSManagedObjectModel._registerEmbedded(
        "\(name)", module: "\(module)", isCurrent: \(isCurrent),
        base64: "\(base64)")

    """
  }
}
