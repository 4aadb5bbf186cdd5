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
    Pattern(
      [".", "bundleIdentifier", "!"], "Programs on Linux have no bundle identifier, so the value is nil", .frameworks),
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

  static func apply(to code: LiveCode, _ facts: ModuleFacts, _ changes: inout FileEdits) {
    for fragment in code.fragments {
      for index in fragment.tokens.indices { match(index, in: fragment, facts, &changes) }
    }
    leaveUnimportedNames(in: code, facts, &changes)
    for head in DeclarationScanner.heads(in: code.file) where head.has("override") {
      leaveOverride(head, in: code.file, &changes)
    }
  }

  private static func match(_ index: Int, in code: CodeFragment, _ facts: ModuleFacts, _ changes: inout FileEdits) {
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

  /// Names that a file on Apple's platforms often uses without an import of their module.
  private struct Unimported {
    var module: String
    var names: Set<String>
    /// The modules of which one declares or exports the names, so that `ImportRule` lists them.
    var imports: Set<String>
  }

  private static let unimported = [
    // A bridging header can import it.
    Unimported(
      module: "UIKit",
      names: ["UIApplication", "UIColor", "UIImage", "UIDevice", "UIScreen", "UIBackgroundTaskIdentifier"],
      imports: ["UIKit", "AppKit", "Cocoa", "SwiftUI", "WatchKit"]),
    // Foundation exports these two.
    Unimported(
      module: "Combine",
      names: [
        "ObservableObject", "Published", "AnyCancellable", "AnyPublisher", "PassthroughSubject", "CurrentValueSubject",
      ],
      imports: ["Combine", "SwiftUI"]),
    Unimported(
      module: "os", names: ["os_unfair_lock", "os_unfair_lock_s", "os_unfair_lock_t", "os_log", "OSLog"],
      imports: ["os", "OSLog"]),
  ]

  /// Lists the first of these names in a file that does not import its module. `ImportRule` lists the names in the other
  /// files.
  private static func leaveUnimportedNames(in code: LiveCode, _ facts: ModuleFacts, _ changes: inout FileEdits) {
    let imported = Set(ImportStatement.all(in: code.wholeFile).map(\.module))
    for group in unimported where imported.isDisjoint(with: group.imports) {
      let tokens = code.file.tokens
      let used = tokens.first { group.names.contains($0.text) && $0.kind == .word && !facts.types.contains($0.text) }
      guard let used else { continue }
      changes.remark(used, "'\(used.text)' belongs to \(group.module), which Linux does not have", .frameworks)
    }
  }

  private static func leaveOverride(_ head: DeclarationHead, in code: CodeFragment, _ changes: inout FileEdits) {
    if head.keyword == "func", head.name == "observeValue" {
      let reason = "Without Objective-C, observeValue is a requirement of NSKeyValueObserving and has no 'override'"
      changes.remark(code[head.index], reason, .observing)
    } else if head.scope == "extension", ["func", "var"].contains(head.keyword) {
      let reason = "Move the override of '\(head.name ?? "")' into the class: it cannot be in an extension"
      changes.remark(code[head.index], reason, .objectiveC)
    }
  }
}
