#if DeveloperTool
import ArgumentParser

/// `coredata model`: commands about models.
struct ModelCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Print, compare, check and compile models.",
    discussion: """
      A model is a folder .xcdatamodeld or .xcdatamodel as Xcode edits it, a compiled .momd or .mom, or a store, which \
      keeps a copy of its model.
      """,
    subcommands: [
      ModelPrint.self, ModelDiff.self, ModelLint.self, ModelHash.self, ModelCompile.self, ModelCodegen.self,
    ])
}
#endif
