import StrataManagedModel

/// The facts of a model that are not part of a version hash: they apply to existing stores without migration.
enum UnstoredDifferences {
  /// One line for each difference.
  static func differences(from old: ModelReport, to new: ModelReport, _ difference: ModelDifference) -> [String] {
    let before = Dictionary(old.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(new.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let entities = difference.entities.flatMap { change -> [String] in
      guard let source = change.source?.name.flatMap({ before[$0] }),
        let destination = change.destination?.name.flatMap({ after[$0] })
      else { return [] }
      let names = change.properties.compactMap { property in
        property.source.map { ($0.name, property.destination.name) }
      }
      return lines(
        source.unstored(calling: Dictionary(names, uniquingKeysWith: { first, _ in first })),
        new: destination.unstored(calling: [:]), of: destination.name,
        isSame: source.versionHash == destination.versionHash)
    }
    return entities + lines(["": old.unstored], new: ["": new.unstored], of: nil, isSame: true)
  }

  /// - Parameters:
  ///   - old: facts by name, of the entity itself under "" and of its properties under their new names.
  ///   - isSame: whether the entity needs no migration.
  private static func lines(
    _ old: [String: [String: String]], new: [String: [String: String]], of entity: String?, isSame: Bool
  ) -> [String] {
    Set(old.keys).union(new.keys).sorted().flatMap { property -> [String] in
      let location = [entity, property.isEmpty ? nil : property].compactMap(\.self).joined(separator: ".")
      switch (old[property], new[property]) {
      case (let before?, let after?): return lines(before, new: after, in: location, isSame: isSame)
      case (nil, let after?): return after["kind"].map { ["+ \(location), \($0)"] } ?? []
      case (let before?, nil): return before["kind"].map { ["- \(location), \($0)"] } ?? []
      default: return []
      }
    }
  }

  private static func lines(
    _ old: [String: String], new: [String: String], in location: String, isSame: Bool
  ) -> [String] {
    Set(old.keys).union(new.keys).sorted().compactMap { key in
      guard old[key] != new[key] else { return nil }
      // Indexes are created with the tables, so any migration creates them too.
      let isIndex = key.hasPrefix("index ")
      if isIndex, !isSame { return nil }
      let hint = isIndex ? "; set a hash modifier to apply it to existing stores" : ""
      let name = location.isEmpty ? key : "\(location), \(key)"
      switch (old[key], new[key]) {
      case (nil, let value?): return "+ \(name): \(value)\(hint)"
      case (let value?, nil): return "- \(name): \(value)\(hint)"
      case (let value?, let other?): return "\(name): \(value) -> \(other)\(hint)"
      default: return nil
      }
    }
  }
}

extension ModelReport {
  fileprivate var unstored: [String: String] {
    var facts: [String: String] = [:]
    for (name, members) in configurations { facts["configuration \(name)"] = members.joined(separator: ", ") }
    for (name, request) in fetchRequests { facts["fetch request \(name)"] = request.text }
    return facts
  }
}

extension EntityReport {
  /// - Parameter names: the properties' new names by old name.
  fileprivate func unstored(calling names: [String: String]) -> [String: [String: String]] {
    var facts = ["": ["class": className.withoutModule]]
    for index in indexes { facts[""]?["index \(index.name)"] = index.elementText }
    for (key, value) in userInfo { facts[""]?["user info \(key)"] = value }
    for attribute in attributes {
      facts[names[attribute.property.name] ?? attribute.property.name] = attribute.unstored
    }
    for relationship in relationships {
      facts[names[relationship.property.name] ?? relationship.property.name] = relationship.unstored
    }
    for fetched in fetchedProperties {
      facts[fetched.name] = ["kind": "fetched", "request": fetched.request?.text ?? ""]
    }
    return facts
  }
}

extension PropertyReport {
  fileprivate var unstored: [String: String] {
    var facts: [String: String] = [:]
    if isTransient { facts["kind"] = "transient" }
    for (rule, error) in validation { facts["rule \(rule)"] = "error \(error)" }
    for (key, value) in userInfo { facts["user info \(key)"] = value }
    return facts
  }
}

extension AttributeReport {
  fileprivate var unstored: [String: String] {
    var facts = property.unstored
    facts["default"] = defaultValue.map { "\($0)" }
    facts["class"] = valueClassName?.withoutModule
    facts["transformer"] = valueTransformerName
    return facts
  }
}

extension RelationshipReport {
  fileprivate var unstored: [String: String] {
    property.unstored.merging(["delete rule": deleteRule]) { first, _ in first }
  }
}

extension String {
  /// A class's name without its module. A model's source usually omits it, and its copy in a store has that of the
  /// program.
  fileprivate var withoutModule: String { split(separator: ".").last.map(String.init) ?? self }
}
