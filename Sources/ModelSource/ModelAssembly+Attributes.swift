import StrataFormats

extension ModelAssembly {
  /// Writes the fields that properties of all kinds have.
  mutating func write(_ property: ModelDocument.Property, rules: [ValidationRule]) {
    text(property.name)
    flags([property.isOptional, property.isTransient, property.isIndexedBySpotlight, property.isStoredInTruthFile])
    text(property.renamingIdentifier == property.name ? nil : property.renamingIdentifier)
    text(property.versionHashModifier)
    write(userInfo: property.userInfo)
    list(rules) { assembly, rule in
      assembly.text(rule.predicate)
      assembly.constant(.integer(rule.code))
    }
  }

  /// - Parameter composites: the enclosing composites, which must not recur.
  mutating func write(
    _ attribute: ModelDocument.Attribute, inComposites composites: [String]
  ) throws(FileFormatError) {
    let elements = try elements(of: attribute, inComposites: composites)
    let derivation = derivation(of: attribute)
    kind(attribute.hasDerivation ? .derived : elements == nil ? .attribute : .composite)
    let value = defaultValue(of: attribute)
    write(attribute.property, rules: rules(of: attribute))
    number(Int(attribute.type.rawValue))
    text(attribute.customClassName.map(className) ?? attribute.type.valueClassName)
    text(attribute.valueTransformerName)
    flags([
      attribute.allowsExternalBinaryDataStorage, attribute.preservesValueInHistoryOnDeletion,
      attribute.allowsCloudEncryption,
    ])
    constant(value)
    if attribute.hasDerivation { return text(derivation) }
    guard let elements else { return }
    number(elements.count)
    for element in elements { try write(element, inComposites: composites + [attribute.compositeName ?? ""]) }
  }

  /// Returns nil for an attribute that is not composite.
  private func elements(
    of attribute: ModelDocument.Attribute, inComposites composites: [String]
  ) throws(FileFormatError) -> [ModelDocument.Attribute]? {
    guard let name = attribute.composite else { return nil }
    guard let definition = document.composites.first(where: { $0.name == name }) else {
      throw error(
        line: attribute.property.line, "\(attribute.property.name) names the composite \(name), which does not exist")
    }
    guard !composites.contains(name) else {
      throw error(line: definition.line, "the composite \(name) contains itself")
    }
    return definition.attributes
  }

  private mutating func derivation(of attribute: ModelDocument.Attribute) -> String? {
    guard attribute.hasDerivation, let text = attribute.derivationText else { return nil }
    let valid = expression(text, of: "the derivation of \(attribute.property.name)", line: attribute.property.line)
    return valid.map(Self.countingByFunction)
  }

  /// Replaces `quakes.@count` and `quakes.@sum.depth` by `count:(quakes)` and `sum:(quakes.depth)`, as Apple's parser
  /// does. Other expressions remain as they are.
  static func countingByFunction(_ expression: String) -> String {
    var path = expression.split(separator: " ").joined()
    while path.hasPrefix("("), path.hasSuffix(")") { path = String(path.dropFirst().dropLast()) }
    guard path.utf8.allSatisfy({ $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "#") || isPartOfPath($0) }) else {
      return expression
    }
    var keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if keys.last == "@count" { return "count:(\(keys.dropLast().joined(separator: ".")))" }
    guard let sum = keys.firstIndex(of: "@sum") else { return expression }
    keys.remove(at: sum)
    return "sum:(\(keys.joined(separator: ".")))"
  }

  private static func isPartOfPath(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."): true
    default: byte >= 128
    }
  }

  /// Returns nil if the file has no default value, or, with a warning, an invalid one.
  private mutating func defaultValue(of attribute: ModelDocument.Attribute) -> ModelConstant? {
    // A composite attribute's default is that of its elements.
    if attribute.type == .compositeAttributeType { return nil }
    if attribute.type == .dateAttributeType, let seconds = attribute.defaultSeconds { return .date(seconds: seconds) }
    // An empty text is a value only for strings.
    guard let text = attribute.defaultText, !text.isEmpty || attribute.type == .stringAttributeType else { return nil }
    let (line, name) = (attribute.property.line, attribute.property.name)
    guard let description = ModelConstant.description(of: attribute.type) else {
      warn(line: line, "\(name) is a \(attribute.type.modelWord), which has no default in a file")
      return nil
    }
    if let value = ModelConstant(text, type: attribute.type) { return value }
    warn(line: line, "the default of \(name) must be \(description), found \"\(text)\": it is left out")
    return nil
  }
}

/// The validation rules for the editor's bounds, lengths and patterns, each with its error code.
extension ModelAssembly {
  struct ValidationRule {
    var predicate: String
    var code: Int64
  }

  private mutating func rules(of attribute: ModelDocument.Attribute) -> [ValidationRule] {
    switch attribute.type {
    case .stringAttributeType: textRules(of: attribute)
    case .dateAttributeType: dateRules(of: attribute)
    default: numberRules(of: attribute)
    }
  }

  private mutating func textRules(of attribute: ModelDocument.Attribute) -> [ValidationRule] {
    var rules: [ValidationRule] = []
    for (text, comparison, code) in [(attribute.minimumText, ">=", 1_670), (attribute.maximumText, "<=", 1_660)] {
      guard let text else { continue }
      guard let limit = Int64(text) else {
        warn(
          line: attribute.property.line,
          "a length of \(attribute.property.name) must be a whole number, found \"\(text)\": it is ignored")
        continue
      }
      rules.append(ValidationRule(predicate: "length \(comparison) \(limit)", code: Int64(code)))
    }
    if let pattern = attribute.pattern.flatMap({ ModelConstant.string($0).predicateText }) {
      rules.append(ValidationRule(predicate: "SELF MATCHES \(pattern)", code: 1_680))
    }
    return rules
  }

  private mutating func dateRules(of attribute: ModelDocument.Attribute) -> [ValidationRule] {
    var rules: [ValidationRule] = []
    let bounds = [
      (attribute.minimumText, attribute.minimumSeconds, ">=", 1_640),
      (attribute.maximumText, attribute.maximumSeconds, "<=", 1_630),
    ]
    for (text, seconds, comparison, code) in bounds {
      if let seconds {
        rules.append(rule(comparison, .date(seconds: seconds), code: code))
      } else if let text {
        warn(
          line: attribute.property.line,
          "the bound \"\(text)\" of \(attribute.property.name) is not a number of seconds and is ignored")
      }
    }
    return rules.compactMap(\.self)
  }

  private mutating func numberRules(of attribute: ModelDocument.Attribute) -> [ValidationRule] {
    var rules: [ValidationRule] = []
    for (text, comparison, code) in [(attribute.minimumText, ">=", 1_620), (attribute.maximumText, "<=", 1_610)] {
      guard let text else { continue }
      guard let bound = Self.bound(text, type: attribute.type) else {
        warn(
          line: attribute.property.line,
          "a bound of \(attribute.property.name) must be a number, found \"\(text)\": it is ignored")
        continue
      }
      rules.append(rule(comparison, bound, code: code))
    }
    return rules
  }

  /// Returns nil for the type of an attribute that is not a number.
  private static func bound(_ text: String, type: NSAttributeType) -> ModelConstant? {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType:
      ModelConstant(text, type: type)
    case .floatAttributeType, .doubleAttributeType: ModelConstant(text, type: .doubleAttributeType)
    default: nil
    }
  }

  private func rule(_ comparison: String, _ bound: ModelConstant, code: Int) -> ValidationRule {
    ValidationRule(predicate: "SELF \(comparison) \(bound.predicateText ?? "nil")", code: Int64(code))
  }
}

extension ModelDocument.Attribute {
  var hasDerivation: Bool { isDerived && derivationText != nil }
}
