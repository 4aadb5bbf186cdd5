/// Adds imports that Clang's modules provide on Apple's platforms, and makes those of Apple's modules conditional.
struct ImportRule {
  private let code: LiveCode
  private let facts: ModuleFacts
  private let imports: [ImportStatement]

  /// - Parameter needsCoreData: whether the other rules add a name that Linux has in Core Data.
  static func changes(in code: LiveCode, _ facts: ModuleFacts, needsCoreData: Bool) -> FileEdits {
    let rule = ImportRule(code: code, facts: facts, imports: ImportStatement.all(in: code.file))
    var changes = FileEdits()
    rule.addMissing(needsCoreData: needsCoreData, &changes)
    rule.removeSubmodules(&changes)
    rule.replaceScopedImports(&changes)
    rule.makeConditional(&changes)
    rule.leaveUses(&changes)
    return changes
  }

  // MARK: Missing imports

  private func addMissing(needsCoreData: Bool, _ changes: inout FileEdits) {
    var complete = Set(imports.filter { !$0.isScoped }.map(\.module))
    if imports.contains(where: importsMovedType) { complete.insert("CoreData") }
    var missing: [String] = []
    let usesCoreData =
      uses(CoreDataNames.isCoreData) || (facts.usesCoreData && (needsCoreData || uses(CoreDataNames.moved.contains)))
    if usesCoreData, !complete.contains("CoreData") { missing.append("import CoreData") }
    // The framework and XCTest export Foundation.
    let hasFoundation = !complete.isDisjoint(with: ["Foundation", "CoreData", "XCTest"]) || !missing.isEmpty
    if !hasFoundation, uses(CoreDataNames.foundation.contains) { missing.append("import Foundation") }
    let modules = [("FoundationNetworking", CoreDataNames.networking), ("FoundationXML", CoreDataNames.xml)]
    for (module, names) in modules where uses(names.contains) && !complete.contains(module) {
      if !hasFoundation, missing.isEmpty { missing.append("import Foundation") }
      missing += ["#if canImport(\(module))", "import \(module)", "#endif"]
    }
    guard !missing.isEmpty else { return }
    insert(missing, &changes)
    changes.count(.missingImport, missing.count { $0.hasPrefix("import") })
  }

  /// Whether the file uses a name that the module does not declare.
  private func uses(_ isName: (String) -> Bool) -> Bool {
    code.fragments.contains { fragment in
      fragment.tokens.indices.contains { index in
        let token = fragment[index]
        return token.kind == .word && isName(token.text) && !facts.types.contains(token.text)
          && !fragment.sees(index - 1, ".") && !fragment.sees(index + 1, ":")
      }
    }
  }

  private func insert(_ lines: [String], _ changes: inout FileEdits) {
    let position = ImportPosition(code)
    let ending = code.source.lineEnding(min(position.offset, code.source.bytes.count))
    let text = lines.joined(separator: ending) + ending + (position.needsBlankLine ? ending : "")
    changes.insert(text, at: position.offset)
  }

  // MARK: Imports as written

  /// A Swift module has no submodules.
  private func removeSubmodules(_ changes: inout FileEdits) {
    for statement in imports where !statement.isScoped && statement.path.count > 1 {
      guard ["CoreData", "Foundation"].contains(statement.module) else { continue }
      let tokens = statement.submodules
      let start = code.file[tokens.lowerBound - 1].bytes.upperBound
      changes.replace(start..<code.file[tokens.upperBound - 1].bytes.upperBound, with: "")
      changes.count(.name)
    }
  }

  /// `import class Foundation.ValueTransformer`: `import CoreData` provides the class on both platforms.
  private func replaceScopedImports(_ changes: inout FileEdits) {
    for statement in imports where importsMovedType(statement) {
      let start = code.file[statement.keyword].bytes.lowerBound
      changes.replace(start..<statement.bytes.upperBound, with: "import CoreData")
      changes.count(.name)
    }
  }

  private func importsMovedType(_ statement: ImportStatement) -> Bool {
    statement.isScoped && statement.module == "Foundation" && statement.path.count == 2
      && CoreDataNames.moved.contains(statement.path[1])
  }

  private func makeConditional(_ changes: inout FileEdits) {
    let source = code.source
    for statement in imports where AppleModules.isApples(statement.module) {
      let bytes = statement.bytes
      guard source.isFirstOnLine(bytes.lowerBound), source.isLastOnLine(bytes.upperBound) else {
        changes.remark(code.file[statement.keyword], "Put 'import \(statement.module)' on a line of its own", .imports)
        continue
      }
      let (ending, indent) = (source.lineEnding(bytes.lowerBound), source.indentation(bytes.lowerBound))
      changes.insert("#if canImport(\(statement.module))" + ending + indent, at: bytes.lowerBound)
      changes.insert(ending + indent + "#endif", at: source.lineEnd(bytes.upperBound))
      changes.count(.conditionalImport)
    }
  }

  /// Lists the first use of a name of each module that Linux does not have, also where the import is conditional.
  private func leaveUses(_ changes: inout FileEdits) {
    var seen: Set<String> = []
    for statement in ImportStatement.all(in: code.wholeFile) where AppleModules.isApples(statement.module) {
      guard seen.insert(statement.module).inserted else { continue }
      leaveUse(of: statement.module, &changes)
    }
  }

  private func leaveUse(of module: String, _ changes: inout FileEdits) {
    for fragment in code.fragments {
      let index = fragment.tokens.indices.first { index in
        let token = fragment[index]
        return token.kind == .word && AppleModules.declares(token.text, in: module)
          && !facts.types.contains(token.text) && !fragment.sees(index - 1, ".") && !fragment.sees(index - 1, "import")
      }
      guard let index else { continue }
      changes.remark(
        fragment[index], "'\(fragment[index].text)' belongs to \(module), which Linux does not have", .frameworks)
      return
    }
  }
}
