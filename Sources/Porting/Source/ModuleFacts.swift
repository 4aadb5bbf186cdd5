import StrataModelCompiler

/// The declarations and imports of a module that decide how its files are rewritten.
struct ModuleFacts {
  private(set) var types: Set<String> = []
  private(set) var properties: Set<String> = []
  /// Properties that override no other, and so have no other name in Objective-C.
  private(set) var ownProperties: Set<String> = []
  /// Properties that have another name in Objective-C.
  private(set) var renamed: Set<String> = []
  /// Protocols with `@objc`.
  private(set) var protocols: Set<String> = []
  /// Whether a file imports Core Data or has a name of it.
  private(set) var usesCoreData = false
  /// Whether a method named `fetchRequest()` does something else than Xcode's.
  private(set) var hasOwnFetchRequest = false
  /// Names in the module's models.
  let modelNames: Set<String>

  init(files: [LiveCode], modelNames: Set<String>) {
    self.modelNames = modelNames
    for file in files { add(file) }
    let names = files.lazy.flatMap(\.fragments).flatMap(\.tokens).filter { $0.kind == .word }.map(\.text)
    usesCoreData = usesCoreData || names.contains { CoreDataNames.isCoreData($0) && !types.contains($0) }
  }

  /// Code that Linux does not compile declares names too: the tool itself makes attributes conditional.
  private mutating func add(_ file: LiveCode) {
    let code = file.wholeFile
    for head in DeclarationScanner.heads(in: code) {
      note(head)
      if head.keyword == "func", head.name == "fetchRequest", !isFromXcode(head, in: code) { hasOwnFetchRequest = true }
    }
    for (token, next) in zip(code.tokens, code.tokens.dropFirst()) where token.kind == .word && next.isName {
      switch token.text {
      case "class", "struct", "enum", "protocol", "actor", "associatedtype", "typealias": types.insert(next.text)
      case "var", "let": properties.insert(next.text)
      default: break
      }
    }
    if ImportStatement.all(in: file.file).contains(where: { $0.module == "CoreData" }) { usesCoreData = true }
  }

  private mutating func note(_ head: DeclarationHead) {
    let name = head.name ?? ""
    switch head.keyword {
    case "var", "let":
      let selector = head.attributes.first { $0.name == "objc" }?.argument
      if let selector, selector != name { renamed.insert(name) }
      if !head.has("override") { ownProperties.insert(name) }
    case "protocol": if head.attributes.contains(where: { $0.name == "objc" }) { protocols.insert(name) }
    default: break
    }
  }

  /// Whether a class method returns nothing but a new request for an entity.
  private func isFromXcode(_ head: DeclarationHead, in code: CodeFragment) -> Bool {
    guard head.has("class") || head.has("static"),
      let brace = (head.index..<code.tokens.count).first(where: { code[$0].text == "{" })
    else { return false }
    let start = code.sees(brace + 1, "return") ? brace + 2 : brace + 1
    guard code.sees(start, "NSFetchRequest", "<"), let end = code.afterGenerics(start + 1) else { return false }
    return code.sees(end, "(", "entityName", ":") && code[end + 3].kind == .literal && code.sees(end + 4, ")", "}")
  }
}
