import CoreData
import StrataManagedModel

/// The steps of a lightweight migration for the rows of one entity, as text.
struct EntitySteps {
  private let change: ModelDifference.EntityChange
  private let difference: ModelDifference

  init(_ change: ModelDifference.EntityChange, in difference: ModelDifference) {
    (self.change, self.difference) = (change, difference)
  }

  /// nil if the entity's rows do not change.
  var entity: ModelDiffReport.Entity? {
    switch (change.source, change.destination) {
    case (nil, let destination?): .init(name: destination.name ?? "", change: .added, steps: [])
    case (let source?, nil): .init(name: source.name ?? "", change: .removed, steps: [])
    case (let source?, let destination?) where source.versionHash != destination.versionHash:
      .init(name: destination.name ?? "", change: .changed, steps: steps(from: source, to: destination))
    default: nil
    }
  }

  private func steps(from source: NSEntityDescription, to destination: NSEntityDescription) -> [String] {
    var steps: [String] = []
    if source.name != destination.name { steps.append("was \(source.name ?? "")") }
    let (before, after) = (parent(of: source, isOld: true), destination.superentity?.name)
    if before != after { steps.append(after.map { "inherits from \($0)" } ?? "inherits from nothing") }
    if source.isAbstract != destination.isAbstract {
      steps.append(destination.isAbstract ? "is abstract" : "is no longer abstract")
    }
    steps += change.properties.compactMap { step($0, from: source, to: destination) }
    steps += lost(source).map { "- \($0.name)\(lostContents(of: $0))" }
    let (old, new) = (Set(source.uniqueNames), Set(destination.uniqueNames))
    steps += new.subtracting(old).map { "(\($0.joined(separator: ", "))) must be unique, or the migration fails" }
      .sorted()
    steps += old.subtracting(new).map { "(\($0.joined(separator: ", "))) need no longer be unique" }.sorted()
    return steps.isEmpty ? ["its version hash changes: what it inherits has changed, or its hash modifier"] : steps
  }

  /// The parent's name; for an old entity, its parent's new name.
  private func parent(of entity: NSEntityDescription, isOld: Bool) -> String? {
    guard let parent = entity.superentity else { return nil }
    return difference.entities.first { $0.source === parent }?.destination?.name ?? parent.name
  }

  /// The properties of the old entity that have no counterpart.
  private func lost(_ source: NSEntityDescription) -> [NSPropertyDescription] {
    let properties = difference.entities.flatMap(\.properties)
    let kept = Set(properties.compactMap { ($0.source ?? formerEnd(of: $0.destination)).map { ObjectIdentifier($0) } })
    return source.ownProperties.filter {
      !$0.isTransient && !($0 is NSFetchedPropertyDescription) && !kept.contains(ObjectIdentifier($0))
    }.sorted { $0.name < $1.name }
  }

  /// Returns, as text, the contents that are lost with a property. A relationship loses none if its other end keeps the links.
  private func lostContents(of property: NSPropertyDescription) -> String {
    guard let relationship = property as? NSRelationshipDescription else { return ", and its values" }
    let inverse = relationship.inverseRelationship
    let kept = difference.entities.lazy.flatMap(\.properties).first { $0.source != nil && $0.source === inverse }
    return kept.map { "; \($0.destination.name) keeps its references" } ?? ", and its references"
  }

  /// The old version of a new relationship's inverse; nil if the inverse is new too. The new relationship gets the links of the
  /// old inverse.
  private func keptInverse(of property: NSPropertyDescription) -> NSRelationshipDescription? {
    guard let inverse = (property as? NSRelationshipDescription)?.inverseRelationship else { return nil }
    let kept = difference.entities.lazy.flatMap(\.properties).first { $0.source != nil && $0.destination === inverse }
    return kept?.source as? NSRelationshipDescription
  }

  /// The old relationship that a new one continues under another name without a renaming identifier: the inverse that both have
  /// shows that. nil if the old relationship still exists.
  private func formerEnd(of property: NSPropertyDescription) -> NSPropertyDescription? {
    guard let former = keptInverse(of: property)?.inverseRelationship else { return nil }
    let isKept = difference.entities.contains { $0.properties.contains { $0.source === former } }
    return isKept ? nil : former
  }

  private func step(
    _ property: ModelDifference.PropertyChange, from source: NSEntityDescription, to destination: NSEntityDescription
  ) -> String? {
    let new = property.destination
    guard new.declaringEntity === destination else { return nil }
    guard let old = property.source ?? formerEnd(of: new) else {
      if let inverse = keptInverse(of: new) { return "+ \(new.name), with the references of \(inverse.name)" }
      let child = difference.entities.first { $0.properties.contains { $0.destination === new && $0.source != nil } }
      if let child { return "\(new.name) moves up from \(child.source?.name ?? "")" }
      return "+ \(new.name)" + firstValue(of: new)
    }
    var words: [String] = []
    if old.name != new.name { words.append("was \(old.name)") }
    if old.declaringEntity !== source { words.append("moves down from \(old.declaringEntity?.name ?? "")") }
    words += PropertySteps(old: old, new: new).words + elementWords(property)
    if words.isEmpty, old.versionHash != new.versionHash { words.append("changes its version hash") }
    return words.isEmpty ? nil : "\(new.name) \(words.joined(separator: ", "))"
  }

  /// The changes in a composite attribute.
  private func elementWords(_ property: ModelDifference.PropertyChange) -> [String] {
    let elements = property.elements
    let words = elements.compactMap { element -> String? in
      let new = element.destination
      guard let old = element.source else { return "has the new element \(new.name)\(firstValue(of: new))" }
      let renamed = old.name == new.name ? [] : ["was \(old.name)"]
      let words = renamed + PropertySteps(old: old, new: new).words + elementWords(element)
      return words.isEmpty ? nil : "element \(new.name) \(words.joined(separator: ", "))"
    }
    let lost = (property.source as? NSCompositeAttributeDescription)?.elements.filter { old in
      !old.isTransient && !elements.contains { $0.source === old }
    }
    return words + (lost ?? []).map { "loses the element \($0.name) and its values" }.sorted()
  }

  private func firstValue(of property: NSPropertyDescription) -> String {
    guard let attribute = property as? NSAttributeDescription else { return ", empty at first" }
    if let derived = attribute as? NSDerivedAttributeDescription {
      return derived.givenDerivation.map { ", derived as \($0)" } ?? ""
    }
    let value = attribute.defaultValue.map { JSONValue($0, of: attribute.attributeType) }
    return value.map { ", \($0) in all rows" } ?? ", without a value in all rows"
  }
}

/// The changes of one property.
struct PropertySteps {
  let old: NSPropertyDescription
  let new: NSPropertyDescription

  var words: [String] {
    var words: [String] = []
    if old.isOptional, !new.isOptional { words.append("is required\(filling)") }
    if !old.isOptional, new.isOptional { words.append("is optional") }
    if old.versionHashModifier != new.versionHashModifier { words.append("changes its hash modifier") }
    switch (old, new) {
    case (let old as NSAttributeDescription, let new as NSAttributeDescription): words += self.words(from: old, to: new)
    case (let old as NSRelationshipDescription, let new as NSRelationshipDescription):
      words += self.words(from: old, to: new)
    default: words.append("becomes another kind of property")
    }
    return words
  }

  private var filling: String {
    guard let attribute = new as? NSAttributeDescription, let value = attribute.defaultValue else { return "" }
    return ": rows without a value get \(JSONValue(value, of: attribute.attributeType))"
  }

  private func words(from old: NSAttributeDescription, to new: NSAttributeDescription) -> [String] {
    var words: [String] = []
    if old.attributeType != new.attributeType {
      words.append("changes from \(old.attributeType.modelWord) to \(new.attributeType.modelWord)")
    }
    if old.allowsExternalBinaryDataStorage != new.allowsExternalBinaryDataStorage {
      words.append(new.allowsExternalBinaryDataStorage ? "may be stored in files" : "is stored inline")
    }
    if old.preservesValueInHistoryOnDeletion != new.preservesValueInHistoryOnDeletion {
      words.append(new.preservesValueInHistoryOnDeletion ? "is kept in the history" : "is not kept in the history")
    }
    let (before, after) = (derivation(of: old), derivation(of: new))
    if before != after { words.append(after.map { "is derived as \($0)" } ?? "is no longer derived") }
    return words
  }

  private func derivation(of attribute: NSAttributeDescription) -> String? {
    (attribute as? NSDerivedAttributeDescription)?.givenDerivation?.description
  }

  private func words(from old: NSRelationshipDescription, to new: NSRelationshipDescription) -> [String] {
    var words: [String] = []
    if old.isToMany != new.isToMany { words.append(new.isToMany ? "becomes to-many" : "becomes to-one") }
    if old.isOrdered != new.isOrdered { words.append(new.isOrdered ? "becomes ordered" : "is no longer ordered") }
    let (before, after) = (old.destinationEntity?.name, new.destinationEntity?.name)
    if before != after { words.append("leads to \(after ?? "nothing")") }
    let inverse = new.inverseRelationship?.name
    if old.inverseRelationship?.name != inverse {
      words.append(inverse.map { "has the inverse \($0)" } ?? "has no inverse")
    }
    if (old.minCount, old.maxCount) != (new.minCount, new.maxCount), old.isToMany == new.isToMany {
      words.append("changes its count limits")
    }
    return words
  }
}
