/// Lists code that Linux refuses, or that stops the program there, and that no rule can rewrite.
struct RemarkRule {
  private struct Pattern {
    var tokens: [String]
    var reason: String
    var section: Remark.Section

    init(_ tokens: [String], _ reason: String, _ section: Remark.Section) {
      (self.tokens, self.reason, self.section) = (tokens, reason, section)
    }
  }

  private static let patterns: [Pattern] = [
    Pattern([".", "responds", "(", "to", ":"], "Use a protocol and 'as?' instead of 'responds(to:)'", .objectiveC),
    Pattern(["NSException"], "Check before the call: Swift on Linux has no exceptions to catch", .objectiveC),
    Pattern(["NSDiffableDataSourceSnapshot"], "The snapshot's type belongs to AppKit and UIKit", .objectiveC),
    Pattern([".", "publisher", "(", "for", ":"], "Combine exists only on Apple's platforms", .frameworks),
    Pattern(["NSPersistentCloudKitContainer"], "CloudKit exists only on Apple's platforms", .frameworks),
    Pattern(["NSPersistentCloudKitContainerOptions"], "CloudKit exists only on Apple's platforms", .frameworks),
    Pattern([".", "cloudKitContainerOptions"], "CloudKit exists only on Apple's platforms", .frameworks),
    Pattern(["NSCoreDataCoreSpotlightDelegate"], "Core Spotlight exists only on Apple's platforms", .frameworks),
    Pattern(
      ["Bundle", "(", "identifier", ":"], "A package's bundle has no identifier; use 'Bundle.module'", .frameworks),
    Pattern([".", "ubiquityIdentityToken"], "iCloud exists only on Apple's platforms", .frameworks),
    Pattern(["resolvingBookmarkData"], "Foundation on Linux has no bookmarks of files", .frameworks),
    Pattern(
      [".", "isMainThread"], "May be false on the main queue, which another thread may run; ask for the queue", .threads
    ),
    Pattern(["NSPersistentStoreFileProtectionKey"], "Linux has no file protection", .names),
    Pattern([".", "confinementConcurrencyType"], "A context has a queue of its own", .names),
    Pattern([".", "compoundIndexes"], "Apple replaced compound indexes by 'indexes'", .names),
    Pattern(["as", "!", "NSFetchedResultsController", "<"], "A controller cannot be cast to another type", .requests),
    Pattern(["as", "?", "NSFetchedResultsController", "<"], "A controller cannot be cast to another type", .requests),
  ]

  private static let patternsByFirstToken = Dictionary(grouping: patterns) { $0.tokens[0] }

  static func apply(to code: LiveCode, _ facts: ModuleFacts, _ changes: inout Changes) {
    for fragment in code.fragments {
      for index in fragment.tokens.indices { match(index, in: fragment, facts, &changes) }
    }
    leaveInterfaceNames(in: code, facts, &changes)
    for head in DeclarationScanner.heads(in: code.file) where head.has("override") {
      leaveOverride(head, in: code.file, &changes)
    }
  }

  private static func match(_ index: Int, in code: CodeFragment, _ facts: ModuleFacts, _ changes: inout Changes) {
    let token = code[index]
    if token.kind == .word, token.text.utf8.starts(with: "objc_".utf8), code.sees(index + 1, "(") {
      changes.remark(token, "'\(token.text)' belongs to the Objective-C runtime", .objectiveC)
    }
    guard token.kind != .literal, let patterns = patternsByFirstToken[token.text] else { return }
    for pattern in patterns {
      let matches = pattern.tokens.indices.allSatisfy { code.sees(index + $0, pattern.tokens[$0]) }
      if matches, !facts.types.contains(token.text) { changes.remark(token, pattern.reason, pattern.section) }
    }
  }

  /// Lists the first name of UIKit in a file that imports neither UIKit nor its relatives, as with a bridging header.
  /// `ImportRule` lists the names in the other files.
  private static func leaveInterfaceNames(in code: LiveCode, _ facts: ModuleFacts, _ changes: inout Changes) {
    let names: Set = ["UIApplication", "UIColor", "UIImage", "UIDevice", "UIScreen", "UIBackgroundTaskIdentifier"]
    let interfaces: Set = ["UIKit", "AppKit", "Cocoa", "SwiftUI", "WatchKit"]
    guard !ImportStatement.all(in: code.wholeFile).contains(where: { interfaces.contains($0.module) }) else { return }
    let used = code.file.tokens.first { names.contains($0.text) && $0.kind == .word && !facts.types.contains($0.text) }
    if let used { changes.remark(used, "'\(used.text)' belongs to UIKit, which Linux does not have", .frameworks) }
  }

  private static func leaveOverride(_ head: DeclarationHead, in code: CodeFragment, _ changes: inout Changes) {
    if head.keyword == "func", head.name == "observeValue" {
      let reason = "Without Objective-C, observeValue is a requirement of NSKeyValueObserving and has no 'override'"
      changes.remark(code[head.index], reason, .observing)
    } else if head.scope == "extension", ["func", "var"].contains(head.keyword) {
      let reason = "Move the override of '\(head.name ?? "")' into the class: it cannot be in an extension"
      changes.remark(code[head.index], reason, .objectiveC)
    }
  }
}
