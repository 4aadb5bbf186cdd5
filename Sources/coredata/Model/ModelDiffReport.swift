import CoreData
import StrataManagedModel

/// The steps of a migration between two models, for printing.
struct ModelDiffReport: Encodable {
  struct Side: Encodable {
    var name: String
    var version: String?
    var checksum: String

    init(_ location: ModelLocation) {
      name = location.name
      version = location.version.isEmpty ? nil : location.version
      checksum = location.model.versionChecksum
    }
  }

  struct Entity: Encodable {
    enum Change: String, Encodable { case added, removed, changed }

    var name: String
    var change: Change
    /// The changes of the rows, as text.
    var steps: [String]
  }

  struct Refusal: Encodable, Hashable {
    var entity: String
    var property: String?
    var reason: String
  }

  let formatVersion = 1
  var old: Side
  var new: Side
  /// Whether the version hashes are equal, so that stores of one model fit the other.
  var isSame: Bool
  /// Whether a store can be migrated without a mapping model.
  var isLightweight: Bool
  var refusals: [Refusal]
  var entities: [Entity]
  /// Differences that do not affect stores.
  var otherDifferences: [String]

  init(from old: ModelLocation, to new: ModelLocation) {
    (self.old, self.new) = (Side(old), Side(new))
    isSame = old.model.entityVersionHashesByName == new.model.entityVersionHashesByName
    let difference = ModelDifference(comparing: old.model.entities, to: new.model.entities)
    refusals = Self.refusals(of: difference)
    isLightweight = refusals.isEmpty
    entities = difference.entities.compactMap { EntitySteps($0, in: difference).entity }
    let (before, after) = (ModelReport(old), ModelReport(new))
    otherDifferences = UnstoredDifferences.differences(from: before, to: after, difference)
  }

  /// The reasons against a migration, without those that subentities inherit.
  private static func refusals(of difference: ModelDifference) -> [Refusal] {
    var known: Set<Refusal> = []
    return difference.refusals.compactMap { refusal in
      let entity = difference.entities.first { $0.destination?.name == refusal.entity }?.destination
      let home = refusal.property.flatMap { entity?.propertiesByName[$0]?.declaringEntity?.name }
      let found = Refusal(entity: home ?? refusal.entity, property: refusal.property, reason: refusal.reason)
      return known.insert(found).inserted ? found : nil
    }
  }
}

/// The text form.
extension ModelDiffReport {
  var lines: [String] {
    var lines = [headline]
    for refusal in refusals {
      let location = refusal.property.map { "\(refusal.entity).\($0)" } ?? refusal.entity
      lines.append("  cannot: \(location): \(refusal.reason)")
    }
    for entity in entities {
      lines.append("")
      switch entity.change {
      case .added: lines.append("+ entity \(entity.name)")
      case .removed: lines.append("- entity \(entity.name), and its rows")
      case .changed: lines.append("entity \(entity.name)")
      }
      lines += entity.steps.map { "  \($0)" }
    }
    if !otherDifferences.isEmpty {
      lines += ["", "not stored, so nothing to migrate:"] + otherDifferences.map { "  \($0)" }
    }
    return lines
  }

  private var headline: String {
    let sides = "\(Self.text(old)) -> \(Self.text(new)): "
    if isSame { return sides + "the same version hashes: no migration needed" }
    return sides + (isLightweight ? "lightweight migration" : "no lightweight migration")
  }

  private static func text(_ side: Side) -> String {
    side.version.map { $0 == side.name ? $0 : "\(side.name), \($0)" } ?? side.name
  }
}
