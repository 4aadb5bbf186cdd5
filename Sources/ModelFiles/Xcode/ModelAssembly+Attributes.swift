import Foundation
import StrataFileFormats
import StrataManagedModel
import StrataPredicates

extension ModelAssembly {
  func fill(_ property: NSPropertyDescription, from source: ModelDocument.Property) {
    property.name = source.name
    property.isOptional = source.isOptional
    property.isTransient = source.isTransient
    property.renamingIdentifier = source.renamingIdentifier
    property.versionHashModifier = source.versionHashModifier
    property.userInfo = source.userInfo
    property.isIndexedBySpotlight = source.isIndexedBySpotlight
    property.isStoredInExternalRecord = source.isStoredInTruthFile
  }

  /// - Parameter composites: the enclosing composites, which must not recur.
  mutating func attribute(
    _ source: ModelDocument.Attribute, inComposites composites: [String]
  ) throws(FileFormatError) -> NSAttributeDescription {
    let attribute = try emptyAttribute(source, inComposites: composites)
    fill(attribute, from: source.property)
    attribute.attributeType = source.type
    attribute.attributeValueClassName = source.customClassName.map(className) ?? source.type.valueClassName
    attribute.valueTransformerName = source.valueTransformerName
    attribute.allowsExternalBinaryDataStorage = source.allowsExternalBinaryDataStorage
    attribute.preservesValueInHistoryOnDeletion = source.preservesValueInHistoryOnDeletion
    attribute.allowsCloudEncryption = source.allowsCloudEncryption
    // A composite attribute's default is that of its elements.
    if source.type != .compositeAttributeType { attribute.defaultValue = defaultValue(of: source) }
    let rules = validation(of: source)
    if !rules.isEmpty {
      attribute.setValidation(
        rules.map { .predicate(with: $0.predicate) }, warnings: rules.map { NSNumber(value: $0.code) })
    }
    return attribute
  }

  private mutating func emptyAttribute(
    _ source: ModelDocument.Attribute, inComposites composites: [String]
  ) throws(FileFormatError) -> NSAttributeDescription {
    if source.isDerived, let text = source.derivationText {
      let derived = NSDerivedAttributeDescription()
      let node = expression(text, of: "the derivation of \(source.property.name)", line: source.property.line)
      derived.givenDerivation = node?.countingByFunction
      return derived
    }
    guard source.type == .compositeAttributeType, let name = source.compositeName else {
      return NSAttributeDescription()
    }
    let composite = NSCompositeAttributeDescription()
    guard let definition = document.composites.first(where: { $0.name == name }) else {
      throw error(line: source.property.line, "\(source.property.name) names the composite \(name), which is not there")
    }
    guard !composites.contains(name) else {
      throw error(line: definition.line, "the composite \(name) contains itself")
    }
    var elements: [NSAttributeDescription] = []
    for element in definition.attributes { elements.append(try attribute(element, inComposites: composites + [name])) }
    composite.elements = elements
    return composite
  }

  /// Returns nil, with a warning, for an invalid expression.
  mutating func expression(_ text: String, of what: String, line: Int) -> ExpressionNode? {
    do throws(PredicateSyntaxError) {
      return try PredicateParser.expression(text)
    } catch let problem {
      warn(line: line, "\(what) is left out: \(problem)")
      return nil
    }
  }

  /// Returns nil if there is none, or none that a file can express.
  private mutating func defaultValue(of source: ModelDocument.Attribute) -> Any? {
    if source.type == .dateAttributeType, let seconds = source.defaultSeconds {
      return Date(timeIntervalSinceReferenceDate: seconds)
    }
    // An empty text is a value only for strings.
    guard let text = source.defaultText, !text.isEmpty || source.type == .stringAttributeType else { return nil }
    guard let kind = ConstantKind(source.type) else {
      warn(
        line: source.property.line,
        "\(source.property.name) is a \(source.type.modelWord), which has no default in a file")
      return nil
    }
    let value = kind.value(of: text)
    if value == nil {
      warn(
        line: source.property.line,
        "the default of \(source.property.name) is \(kind.words), found \"\(text)\": it is left out")
    }
    return value
  }
}

/// The validation rules for the editor's bounds, lengths and patterns, each with its error code.
extension ModelAssembly {
  private struct Rule {
    var predicate: PredicateNode
    var code: Int
  }

  private mutating func validation(of source: ModelDocument.Attribute) -> [Rule] {
    switch source.type {
    case .stringAttributeType: textRules(of: source)
    case .dateAttributeType: dateRules(of: source)
    default: numberRules(of: source)
    }
  }

  private mutating func textRules(of source: ModelDocument.Attribute) -> [Rule] {
    var rules: [Rule] = []
    let length = ExpressionNode.keyPath(["length"])
    for (text, comparison, code) in [
      (source.minimumText, ComparisonNode.Operator.greaterOrEqual, 1_670),
      (source.maximumText, .lessOrEqual, 1_660),
    ] {
      guard let text else { continue }
      guard let limit = Int64(text) else {
        warn(
          line: source.property.line,
          "a length of \(source.property.name) is a whole number, found \"\(text)\": it bounds nothing")
        continue
      }
      rules.append(
        Rule(predicate: .comparison(ComparisonNode(length, comparison, .value(.integer(limit)))), code: code))
    }
    if let pattern = source.pattern {
      let node = ComparisonNode(.evaluatedObject, .matches, .value(.string(pattern)))
      rules.append(Rule(predicate: .comparison(node), code: 1_680))
    }
    return rules
  }

  private mutating func dateRules(of source: ModelDocument.Attribute) -> [Rule] {
    var rules: [Rule] = []
    if let seconds = source.minimumSeconds {
      rules.append(bound(.greaterOrEqual, .date(seconds: seconds), code: 1_640))
    }
    if let seconds = source.maximumSeconds { rules.append(bound(.lessOrEqual, .date(seconds: seconds), code: 1_630)) }
    for (text, seconds) in [
      (source.minimumText, source.minimumSeconds), (source.maximumText, source.maximumSeconds),
    ] where seconds == nil {
      guard let text else { continue }
      warn(
        line: source.property.line,
        "the bound \"\(text)\" of \(source.property.name) says no seconds and bounds nothing")
    }
    return rules
  }

  private mutating func numberRules(of source: ModelDocument.Attribute) -> [Rule] {
    var rules: [Rule] = []
    for (text, comparison, code) in [
      (source.minimumText, ComparisonNode.Operator.greaterOrEqual, 1_620),
      (source.maximumText, .lessOrEqual, 1_610),
    ] {
      guard let text else { continue }
      guard let kind = ConstantKind(source.type), kind.isNumber, let value = kind.constant(of: text) else {
        warn(
          line: source.property.line,
          "a bound of \(source.property.name) is a number, found \"\(text)\": it bounds nothing")
        continue
      }
      rules.append(bound(comparison, value, code: code))
    }
    return rules
  }

  private func bound(_ comparison: ComparisonNode.Operator, _ value: PredicateValue, code: Int) -> Rule {
    Rule(predicate: .comparison(ComparisonNode(.evaluatedObject, comparison, .value(value))), code: code)
  }
}

extension PredicateValue {
  fileprivate static func date(seconds: Double) -> PredicateValue {
    .date(Date(timeIntervalSinceReferenceDate: seconds))
  }
}
