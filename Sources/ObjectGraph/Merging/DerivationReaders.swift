import StrataManagedModel
import StrataRowStore

/// The objects whose derived values a commit may have changed although it did not write their rows.
struct DerivationReaders {
  /// Objects that are known by their IDs.
  private(set) var owners: Set<RowID> = []
  /// Objects of some entities that refer to one of some rows through a to-one relationship.
  private(set) var links: [Link] = []
  /// Entities of which any object may be concerned.
  private(set) var entities: Set<Int> = []

  struct Link {
    let entities: Set<Int>
    let slot: Int
    let targets: Set<RowID>
  }

  /// - Parameters:
  ///   - changes: a commit's changes.
  ///   - model: the model of their rows.
  init(of changes: ObjectIDChanges, in model: NSManagedObjectModel) {
    guard model.hasRemoteDerivations else { return }
    if let inputs = changes.derivationInputs {
      owners = Set(inputs.owners)
      addLinks(to: inputs.targets, in: model)
    } else {
      let changed = changes.inserted + changes.updated + changes.deleted
      addLinks(to: changed, in: model)
      // A batch request does not name the former owners of the rows that it moves or deletes.
      for number in Set(changed.map(\.entity)) {
        for derivation in model.layout(number: number).remoteDerivations { addOwners(of: derivation) }
      }
    }
    var passed: Set<Int> = []
    for number in readers { follow(number, in: model, &passed) }
  }

  var isEmpty: Bool { owners.isEmpty && links.isEmpty && entities.isEmpty }

  /// The numbers of the objects' entities.
  var readers: Set<Int> {
    links.reduce(into: entities.union(owners.map(\.entity))) { $0.formUnion($1.entities) }
  }

  /// Whether the objects are known by their IDs alone.
  var areNamed: Bool { links.isEmpty && entities.isEmpty }

  func contains(_ object: NSManagedObject) -> Bool {
    let number = object.rowID.entity
    if entities.contains(number) || owners.contains(object.rowID) { return true }
    guard !links.isEmpty, let row = object.committedRow else { return false }
    return links.contains { link in
      link.entities.contains(number) && link.targets.contains(row.page.reference(row: row.index, slot: link.slot))
    }
  }

  private mutating func addLinks(to rows: [RowID], in model: NSManagedObjectModel) {
    for (number, rows) in Dictionary(grouping: rows, by: \.entity) {
      for derivation in model.layout(number: number).remoteDerivations {
        guard case .toOne(let slot) = derivation.way else { continue }
        links.append(Link(entities: Set(derivation.readers), slot: slot, targets: Set(rows)))
      }
    }
  }

  private mutating func addOwners(of derivation: RemoteDerivation) {
    if case .toOne = derivation.way { return }
    entities.formUnion(derivation.readers)
  }

  /// Adds the objects whose values are derived from derived values of an entity.
  private mutating func follow(_ number: Int, in model: NSManagedObjectModel, _ passed: inout Set<Int>) {
    guard passed.insert(number).inserted else { return }
    for derivation in model.layout(number: number).remoteDerivations where derivation.readsDerivedValue {
      entities.formUnion(derivation.readers)
      for reader in derivation.readers { follow(reader, in: model, &passed) }
    }
  }
}
