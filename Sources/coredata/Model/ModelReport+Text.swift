/// The text form.
extension ModelReport {
  var lines: [String] {
    var lines = [headline]
    var facts = [["checksum", checksum]]
    if versions.count > 1 { facts.append(["versions", versions.joined(separator: ", ")]) }
    if !versionIdentifiers.isEmpty { facts.append(["identifiers", versionIdentifiers.joined(separator: ", ")]) }
    for (name, members) in configurations.sorted(by: { $0.key < $1.key }) {
      facts.append(["configuration", "\(name): \(members.joined(separator: ", "))"])
    }
    for (name, request) in fetchRequests.sorted(by: { $0.key < $1.key }) {
      facts.append(["fetch request", "\(name): \(request.text)"])
    }
    lines += Console.table(facts, indent: 2)
    for entity in entities { lines += [""] + entity.lines }
    return lines
  }

  private var headline: String {
    guard let version, version != name || versions.count > 1 else { return "model \(name)" }
    return "model \(name), version \(version)"
  }
}

extension EntityReport {
  fileprivate var lines: [String] {
    var lines = ["entity \(name)" + (parent.map { ", a \($0)" } ?? "") + (isAbstract ? ", abstract" : "")]
    var facts = [["hash", versionHash]]
    if className != "NSManagedObject" { facts.append(["class", className]) }
    if let renamingIdentifier { facts.append(["renaming id", renamingIdentifier]) }
    if let versionHashModifier { facts.append(["hash modifier", versionHashModifier]) }
    for names in uniquenessConstraints { facts.append(["unique", names.joined(separator: ", ")]) }
    for index in indexes { facts.append(["index", index.text]) }
    facts += notes(userInfo)
    lines += Console.table(facts, indent: 2)
    lines += Console.table(attributes.flatMap { $0.rows() }, indent: 4)
    lines += Console.table(relationships.map(\.row) + fetchedProperties.map(\.row), indent: 4)
    return lines
  }
}

private func notes(_ userInfo: [String: String]) -> [[String]] {
  userInfo.sorted { $0.key < $1.key }.map { ["user info", "\($0.key) = \($0.value)"] }
}

extension PropertyReport {
  /// All facts but the name.
  fileprivate var words: [String] {
    var words = [isOptional ? "optional" : "required"]
    if isTransient { words.append("transient") }
    if let renamingIdentifier { words.append("renaming id \(renamingIdentifier)") }
    if let versionHashModifier { words.append("hash modifier \(versionHashModifier)") }
    words += validation.sorted { $0.key < $1.key }.map { "valid if \($0.key)" }
    words += userInfo.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
    return words
  }
}

extension AttributeReport {
  /// The attribute's line, followed by those of a composite's elements.
  fileprivate func rows(in name: String = "") -> [[String]] {
    let name = name.isEmpty ? property.name : "\(name).\(property.name)"
    return [[name, type, words.joined(separator: ", ")]] + elements.flatMap { $0.rows(in: name) }
  }

  private var words: [String] {
    var words = property.words
    if let derivation { words.append("derived \(derivation)") }
    if let defaultValue { words.append("default \(defaultValue)") }
    if let valueClassName { words.append("class \(valueClassName)") }
    if let valueTransformerName { words.append("transformer \(valueTransformerName)") }
    if allowsExternalStorage { words.append("external storage") }
    if preservesValueInHistory { words.append("kept in history") }
    if allowsCloudEncryption { words.append("encrypted in the cloud") }
    return words
  }
}

extension RelationshipReport {
  fileprivate var row: [String] {
    var words = property.words
    words.append(deleteRule)
    if let inverse { words.append("inverse \(inverse)") }
    if isOrdered { words.append("ordered") }
    if minCount > 0 { words.append("at least \(minCount)") }
    if isToMany, maxCount > 0 { words.append("at most \(maxCount)") }
    return [property.name, "to \(isToMany ? "many" : "one") \(destination ?? "")", words.joined(separator: ", ")]
  }
}

extension FetchedReport {
  fileprivate var row: [String] { [name, "fetched", request?.text ?? ""] }
}

extension IndexReport {
  fileprivate var text: String { "\(name): \(elementText)" }

  /// All facts but the name.
  var elementText: String {
    let elements = elements.map { element in
      element.property + (element.isAscending ? "" : " descending")
        + (element.collation == "rTree" ? " in an R-tree" : "")
    }
    return elements.joined(separator: ", ") + (predicate.map { " where \($0)" } ?? "")
  }
}

extension RequestReport {
  var text: String {
    var words = [resultType == "objects" ? entity ?? "" : "\(resultType) of \(entity ?? "")"]
    if let predicate { words.append("where \(predicate)") }
    if !sortDescriptors.isEmpty { words.append("by \(sortDescriptors.joined(separator: ", "))") }
    if fetchLimit > 0 { words.append("limit \(fetchLimit)") }
    return words.joined(separator: " ")
  }
}
