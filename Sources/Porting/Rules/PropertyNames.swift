/// Finds the key that a chain of types and properties, such as `Book.author.name`, stands for.
struct PropertyNames {
  struct Problem: Error { var reason: String }

  let code: CodeFragment
  let facts: ModuleFacts

  func key(of tokens: Range<Int>) -> Result<String, Problem> {
    guard var names = components(tokens) else { return fail("a form that the tool does not know") }
    var isType = true
    var types = 0
    // A name with a capital letter that the module does not declare may be a type of another module, or a property.
    while isType, let first = names.first {
      isType = isNamedLikeType(first) || facts.types.contains(first)
      guard isType else { break }
      let isCertain = facts.types.contains(first) && !facts.properties.contains(first)
      guard isCertain || types == 0 else { return fail("'\(first)' may be a type or a property") }
      names.removeFirst()
      types += 1
    }
    guard !names.isEmpty else { return fail("it may begin with a property whose name has a capital letter") }
    for name in names {
      if facts.renamed.contains(name) { return fail("'\(name)' has another name in Objective-C") }
      let isDeclared = facts.ownProperties.contains(name) || facts.modelNames.contains(name)
      if isFlag(name), !isDeclared {
        return fail(
          "the key of '\(name)' may be '\(Self.withoutPrefix(name))': properties of Apple's classes are named so")
      }
    }
    return .success(names.joined(separator: "."))
  }

  private func fail(_ reason: String) -> Result<String, Problem> { .failure(Problem(reason: reason)) }

  /// The names in the chain, without generic arguments; nil for anything else.
  private func components(_ tokens: Range<Int>) -> [String]? {
    var names: [String] = []
    var index = tokens.lowerBound
    while index < tokens.upperBound {
      guard code[index].isName, code[index].text != "self", code[index].text != "Self" else { return nil }
      names.append(code[index].text)
      index += 1
      if code.sees(index, "<") { index = code.afterGenerics(index) ?? index }
      while code.sees(index, "?") || code.sees(index, "!") { index += 1 }
      guard index < tokens.upperBound else { break }
      guard code.sees(index, ".") else { return nil }
      index += 1
      if index == tokens.upperBound { return nil }
    }
    return names
  }

  private func isNamedLikeType(_ name: String) -> Bool {
    (name.first { $0 != "_" })?.isUppercase ?? false
  }

  private func isFlag(_ name: String) -> Bool {
    name.hasPrefix("is") && name.dropFirst(2).first?.isUppercase == true
  }

  private static func withoutPrefix(_ name: String) -> String {
    let rest = name.dropFirst(2)
    return rest.prefix(1).lowercased() + rest.dropFirst()
  }
}
