/// Finds files of views and controllers, which stay as they are: nothing in them compiles on Linux.
enum InterfaceFile {
  /// A place and a reason to leave the file alone; nil for files of other kinds.
  static func reason(_ code: LiveCode) -> (type: CodeToken, reason: String)? {
    let interfaces: Set = ["SwiftUI", "UIKit", "AppKit", "Cocoa", "WatchKit", "WidgetKit"]
    guard let module = ImportStatement.all(in: code.file).first(where: { interfaces.contains($0.module) }) else {
      return nil
    }
    let tokens = code.file
    guard !tokens.tokens.contains(where: { $0.text == "NSManaged" }) else { return nil }
    for head in DeclarationScanner.heads(in: tokens) {
      guard ["class", "struct", "extension", "protocol"].contains(head.keyword), let name = head.name else { continue }
      let isOfInterface = head.keyword == "extension" && AppleModules.isInterface(name)
      guard isOfInterface || supertypes(of: head, in: tokens).contains(where: AppleModules.isInterface) else {
        continue
      }
      return (tokens[head.index], "'\(name)' belongs to \(module.module): the file stays as it is")
    }
    return nil
  }

  private static func supertypes(of head: DeclarationHead, in code: CodeFragment) -> [String] {
    guard let brace = (head.index..<code.tokens.count).first(where: { code[$0].text == "{" }) else { return [] }
    let clause = (head.index + 2..<max(brace, head.index + 2)).drop { code[$0].text != ":" }
    return clause.filter { code[$0].isName }.map { code[$0].text }
  }
}
