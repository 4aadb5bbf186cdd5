import Foundation

/// The Swift file that embeds a target's models and mapping models, and registers them.
struct ModelFile {
  let module: String
  let models: [CompiledModel]
  var mappings: [CompiledMapping] = []

  var text: String {
    let head = "// Made by CoreDataModel from the target's models.\n"
    if models.isEmpty, mappings.isEmpty { return head }
    return """
      \(head)import CoreData

      #if compiler(<6.3)
        #error("CoreDataModel: embedding models requires Swift 6.3: build with that or a newer toolchain")
      #endif

      \(RegistrationRecord("registerModels", calls: models.flatMap(calls) + mappings.map(call)).text)
      """
  }

  private func calls(_ model: CompiledModel) -> [String] {
    model.versions.map { version in
      """
          NSManagedObjectModel._registerEmbedded(
            "\(model.name)", module: "\(module)", version: "\(model.isSingle ? "" : version.name)", isCurrent: \(version.isCurrent),
            base64: "\(Data(version.bytes).base64EncodedString())")

      """
    }
  }

  private func call(_ mapping: CompiledMapping) -> String {
    """
        NSMappingModel._registerEmbedded("\(mapping.name)", module: "\(module)", base64: "\(mapping.bytes.base64EncodedString())")

    """
  }
}
