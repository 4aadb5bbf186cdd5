/// Replaces the selectors of Foundation's comparisons by text, and lists the others.
struct SelectorRule {
  private static let comparisons: Set<String> = [
    "compare", "caseInsensitiveCompare", "localizedCompare", "localizedCaseInsensitiveCompare",
    "localizedStandardCompare",
  ]

  static func apply(to code: LiveCode, _ facts: ModuleFacts, _ changes: inout FileEdits) {
    for fragment in code.fragments {
      for index in fragment.tokens.indices where fragment.sees(index, "#", "selector", "(") {
        guard let end = fragment.closing(index + 2) else { continue }
        replace(index, end, in: fragment, facts, &changes)
      }
    }
  }

  private static func replace(
    _ index: Int, _ end: Int, in code: CodeFragment, _ facts: ModuleFacts, _ changes: inout FileEdits
  ) {
    let bytes = code[index].bytes.lowerBound..<code[end].bytes.upperBound
    let isOfFoundation = ["NSString", "NSNumber", "NSDate"].contains(code[index + 3].text)
    let argumentsEnd = code.sees(index + 6, "(", "_", ":", ")") ? index + 10 : index + 6
    if isOfFoundation, code.sees(index + 4, "."), comparisons.contains(code[index + 5].text), argumentsEnd == end {
      // Apple's compiler suggests #selector for text unless it is in brackets.
      changes.replace(bytes, with: "Selector((\"\(code[index + 5].text):\"))")
      changes.count(.selector)
      changes.needsCoreData = true
    } else if code.sees(index + 3, "getter", ":"), code.sees(index - 2, "NSStringFromSelector", "("),
      code.sees(end + 1, ")"),
      case .success(let key) = PropertyNames(code: code, facts: facts).key(of: index + 5..<end)
    {
      let call = code[index - 2].bytes.lowerBound..<code[end + 1].bytes.upperBound
      changes.replace(call, with: "\"\(key)\"")
      changes.count(.selector)
    } else {
      changes.remark(code[index], "#selector needs Objective-C; pass a closure", .objectiveC)
    }
  }
}
