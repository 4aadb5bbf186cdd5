import StrataPredicates

/// A derived attribute that is computed from rows of another entity, or of other objects of the same one.
package struct RemoteDerivation: Sendable {
  /// The path from an object to the rows that its derived attribute is computed from.
  package enum Way: Sendable {
    /// The slot of a to-one relationship in the object's rows.
    case toOne(slot: Int)
    /// A to-many relationship, and the slot of its inverse in the members' rows.
    case members(inverse: Int)
    /// A to-many relationship whose members do not store their owner.
    case unlinkedMembers
  }

  /// The numbers of the entities with the attribute.
  package let readers: [Int]
  package let way: Way
  /// The slot that is read in the other rows; nil if the rows are only counted.
  package let source: Int?
  /// Whether that slot is a derived attribute itself.
  package let readsDerivedValue: Bool

  /// - Parameters:
  ///   - derivation: the derivation of an attribute.
  ///   - layout: the entity that declares it.
  ///   - destination: receives the entity whose rows are read.
  fileprivate init?(_ derivation: ExpressionNode?, of layout: EntityLayout, destination: inout EntityLayout?) {
    guard let path = derivation?.derivedPath.map(layout.flattened), path.count > 1,
      let name = path.last
    else { return nil }
    if let slot = layout.slot(named: path[0]) {
      destination = layout.slots[slot].relationship?.destination
      way = .toOne(slot: slot)
    } else if let number = layout.toMany(named: path[0]) {
      destination = layout.toMany[number].relationship.destination
      if case .slot(let inverse) = layout.toMany[number].inverse {
        way = .members(inverse: inverse)
      } else {
        way = .unlinkedMembers
      }
    } else {
      return nil
    }
    guard let destination else { return nil }
    source = name == "@count" ? nil : destination.slot(named: name)
    readsDerivedValue = source.map { destination.slots[$0].attribute?.isDerived == true } ?? false
    readers = layout.subtreeNumbers
  }
}

extension ExpressionNode {
  /// The path of a derivation, within the function that is applied to its value, if any.
  fileprivate var derivedPath: [String]? {
    switch self {
    case .keyPath(let path): path
    case .function(_, let arguments): arguments.first?.derivedPath
    default: nil
    }
  }
}

extension ModelLayout {
  /// Records with each entity which derived attributes of other rows are computed from its rows. Returns whether any are.
  static func linkDerivations(of layouts: [EntityLayout]) -> Bool {
    for layout in layouts {
      for slot in layout.derivedSlots.map({ layout.slots[$0] }) where layout.declares(slot) {
        var destination: EntityLayout?
        let derivation = RemoteDerivation(slot.attribute?.derivation, of: layout, destination: &destination)
        guard let derivation, let destination else { continue }
        for number in destination.subtreeNumbers { layouts[number - 1].remoteDerivationList.append(derivation) }
      }
    }
    return layouts.contains { !$0.remoteDerivations.isEmpty }
  }
}
