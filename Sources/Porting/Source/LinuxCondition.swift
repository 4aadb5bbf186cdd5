/// The value of an `#if` condition when Swift compiles for Linux with Core Data; nil if the build settings decide.
struct LinuxCondition {
  private var symbols: [Substring]
  private var index = 0

  /// - Parameter text: the condition, without the directive's name.
  static func value(of text: some StringProtocol) -> Bool? {
    var reader = LinuxCondition(symbols: symbols(in: String(text)))
    let value = reader.disjunction()
    return reader.index == reader.symbols.count ? value : nil
  }

  private static func symbols(in text: String) -> [Substring] {
    var symbols: [Substring] = []
    var rest = text[...]
    while let character = rest.first {
      let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
      if !word.isEmpty {
        symbols.append(word)
        rest = rest.dropFirst(word.count)
      } else if character.isWhitespace {
        rest = rest.dropFirst()
      } else {
        let isDouble = ["&&", "||", ">=", "==", "!="].contains { rest.hasPrefix($0) }
        symbols.append(rest.prefix(isDouble ? 2 : 1))
        rest = rest.dropFirst(isDouble ? 2 : 1)
      }
    }
    return symbols
  }

  private mutating func consume(_ symbol: String) -> Bool {
    guard index < symbols.count, symbols[index] == symbol else { return false }
    index += 1
    return true
  }

  private mutating func disjunction() -> Bool? {
    var value = conjunction()
    while consume("||") {
      let next = conjunction()
      value = value == true || next == true ? true : value == false && next == false ? false : nil
    }
    return value
  }

  private mutating func conjunction() -> Bool? {
    var value = negation()
    while consume("&&") {
      let next = negation()
      value = value == false || next == false ? false : value == true && next == true ? true : nil
    }
    return value
  }

  private mutating func negation() -> Bool? {
    if consume("!") { return negation().map { !$0 } }
    if consume("(") {
      let value = disjunction()
      return consume(")") ? value : nil
    }
    guard index < symbols.count else { return nil }
    let name = symbols[index]
    index += 1
    guard consume("(") else { return name == "true" ? true : name == "false" ? false : nil }
    let start = index
    while index < symbols.count, symbols[index] != ")" { index += 1 }
    let arguments = symbols[start..<index]
    return consume(")") ? Self.call(name, Array(arguments)) : nil
  }

  private static func call(_ name: Substring, _ arguments: [Substring]) -> Bool? {
    switch (name, arguments.first ?? "") {
    case ("os", let system): system == "Linux"
    case ("canImport", let name): module(String(name.prefix { $0 != "." }))
    case ("targetEnvironment", _), ("_runtime", _): false
    case ("swift", _), ("compiler", _): isCurrent(arguments)
    default: nil
    }
  }

  private static func module(_ name: String) -> Bool? {
    if AppleModules.isApples(name) { return false }
    let known = ["CoreData", "Foundation", "FoundationNetworking", "FoundationXML", "Dispatch", "Glibc", "XCTest"]
    return known.contains(name) ? true : nil
  }

  /// Every compiler that can build the framework is Swift 6.
  private static func isCurrent(_ arguments: [Substring]) -> Bool? {
    guard let version = arguments.last, let major = Int(version.prefix { $0 != "." }), major < 6 else { return nil }
    return arguments.first == ">="
  }
}
