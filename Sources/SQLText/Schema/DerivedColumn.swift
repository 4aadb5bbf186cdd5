import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// The column of a derived attribute.
package struct DerivedColumn: Sendable {
  /// The entity that declares the attribute.
  package let layout: EntityLayout
  /// The attribute's name.
  package let name: String
  package let column: SlotColumn
  package let derivation: Derivation
}

/// The source of a derived attribute's value.
/// See https://developer.apple.com/documentation/coredata/nsderivedattributedescription
package enum Derivation: Hashable, Sendable {
  /// The time of the object's last change.
  case now
  /// Another attribute of the object.
  case attribute(SlotColumn, TextDerivation?)
  /// An attribute of the destination of a to-one relationship, with the relationship's column and the destination's table.
  case related(SlotColumn, TextDerivation?, link: String, table: String)
  /// The number of a relationship's members.
  case count(ToManyStorage)
  /// The sum of an attribute of the members.
  case sum(SlotColumn, ToManyStorage)
}

/// A conversion of a text.
package enum TextDerivation: Hashable, Sendable {
  case canonical, uppercase, lowercase

  fileprivate init?(_ function: ExpressionFunction) {
    switch function {
    case .canonical: self = .canonical
    case .uppercase: self = .uppercase
    case .lowercase: self = .lowercase
    default: return nil
    }
  }

  package func text(of text: String) -> String {
    switch self {
    case .canonical: PredicateText.folded(text, options: [.caseInsensitive, .diacriticInsensitive])
    case .uppercase: text.uppercased()
    case .lowercase: text.lowercased()
    }
  }
}

extension ToManyStorage {
  /// The table with a row for each member, its column with the owner's key, and whether a row may change its owner.
  package var membership: (table: String, key: String, isMovable: Bool) {
    switch self {
    case .inverse(let table, let column, _), .ownerless(let table, let column, _): (table, column, true)
    case .join(let table, let own, _, _, _): (table, own, false)
    }
  }
}

extension StoreSchema {
  /// The columns of all derived attributes.
  /// - Throws: `.unsupported` for an attribute that no store can compute.
  package func derivedColumns() throws -> [DerivedColumn] {
    try tables.flatMap(\.family).flatMap { layout in
      try layout.slots.indices.compactMap { slot -> DerivedColumn? in
        guard layout.declares(layout.slots[slot]), let derived = layout.slots[slot].attribute,
          let node = derived.derivation.map(layout.flattened), let column = table(of: layout).columns[slot]
        else { return nil }
        guard let derivation = derivation(of: node, in: layout) else {
          throw StoreError(
            .unsupported,
            "The derived attribute '\(layout.name).\(derived.name)' cannot be computed from '\(node)'. It may be an "
              + "attribute, one of a to-one relationship, canonical:, uppercase: or lowercase: of such, now(), or the "
              + "@count or @sum of a to-many relationship.")
        }
        return DerivedColumn(layout: layout, name: derived.name, column: column, derivation: derivation)
      }
    }
  }

  private func derivation(of node: ExpressionNode, in layout: EntityLayout) -> Derivation? {
    switch node {
    case .function(.now, _): return .now
    case .function(let function, let arguments):
      guard let text = TextDerivation(function), case .keyPath(let path)? = arguments.first else { return nil }
      return derivation(along: path, in: layout, text)
    case .keyPath(let path): return derivation(along: path, in: layout, nil)
    default: return nil
    }
  }

  private func derivation(along path: [String], in layout: EntityLayout, _ text: TextDerivation?) -> Derivation? {
    if path.count == 1, let own = column(path[0], of: layout), own.kind != .toOne { return .attribute(own, text) }
    if path.count == 2, path[1] != "@count", let link = column(path[0], of: layout), link.kind == .toOne {
      let destination = model.layout(number: link.destination)
      return column(path[1], of: destination).map {
        .related($0, text, link: link.name, table: table(of: destination).name)
      }
    }
    guard text == nil, let members = layout.toMany(named: path[0]), let storage = table(of: layout).toMany[members]
    else { return nil }
    if path.count == 2, path[1] == "@count", !storage.isSymmetric { return .count(storage) }
    guard path.count == 3, path[1] == "@sum", storage.membership.isMovable else { return nil }
    return column(path[2], of: layout.toMany[members].relationship.destination).map { .sum($0, storage) }
  }

  private func column(_ name: String, of layout: EntityLayout) -> SlotColumn? {
    layout.slot(named: name).flatMap { table(of: layout).columns[$0] }
  }
}
