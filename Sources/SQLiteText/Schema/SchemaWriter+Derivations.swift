import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLText

/// Derived attributes, which triggers compute whoever writes the rows.
///
/// The triggers of counts are those of Apple's stores to the letter; the others follow their pattern.
extension SchemaWriter {
  /// The triggers of all derived attributes.
  /// - Throws: `.unsupported` for an attribute that triggers cannot compute.
  package func derivations() throws -> [SQLStatement] {
    try schema.tables.flatMap(\.family).flatMap { layout in
      try layout.slots.indices.flatMap { slot -> [SQLStatement] in
        guard let derived = layout.slots[slot].property as? NSDerivedAttributeDescription,
          derived.declaringEntity === layout.entity, let node = derived.derivation.map(layout.flattened),
          let column = schema.table(of: layout).columns[slot]
        else { return [] }
        return try triggers(
          of: node, for: DerivedColumn(of: layout, attribute: derived.name, column: column.name, in: schema))
      }
    }
  }

  private func triggers(of node: ExpressionNode, for derived: DerivedColumn) throws -> [SQLStatement] {
    switch node {
    case .function(.now, _):
      let now = "NSCoreDataNow()"
      return [
        derived.trigger("INSERT", after: "INSERT", set: now, where: "Z_PK = NEW.Z_PK", isOwn: true),
        derived.trigger("UPDATE", after: "UPDATE OF Z_OPT", set: now, where: "Z_PK = NEW.Z_PK"),
      ]
    case .function(let function, let arguments):
      guard let name = Self.textFunctions[function], case .keyPath(let path)? = arguments.first else { break }
      return try triggers(along: path, of: node, for: derived) { "\(name)(\($0))" }
    case .keyPath(let path): return try triggers(along: path, of: node, for: derived) { $0 }
    default: break
    }
    throw derived.refusal(of: node)
  }

  private static let textFunctions: [ExpressionFunction: String] = [
    .canonical: "NSCoreDataCanonical", .uppercase: "NSCoreDataToUpper", .lowercase: "NSCoreDataToLower",
  ]

  /// - Parameter shaped: applies the derivation's function to a column.
  private func triggers(
    along path: [String], of node: ExpressionNode, for derived: DerivedColumn, shaped: (String) -> String
  ) throws -> [SQLStatement] {
    let layout = derived.layout
    if path.count == 1, let own = column(path[0], of: layout), own.kind != .toOne {
      return derived.copies(of: own.name, shaped)
    }
    if path.count == 2, path[1] != "@count", let link = column(path[0], of: layout), link.kind == .toOne {
      let destination = schema.model.layout(number: link.destination)
      guard let source = column(path[1], of: destination) else { throw derived.refusal(of: node) }
      return derived.copies(of: source.name, in: schema.table(of: destination).name, by: link.name, shaped)
    }
    guard let members = layout.toMany(named: path[0]), let storage = schema.table(of: layout).toMany[members] else {
      throw derived.refusal(of: node)
    }
    if path.count == 2, path[1] == "@count", let triggers = derived.counts(storage) { return triggers }
    if path.count == 3, path[1] == "@sum",
      let destination = layout.toMany[members].relationship.destinationEntity?.layout,
      let summand = column(path[2], of: destination), let triggers = derived.sums(of: summand.name, storage)
    {
      return triggers
    }
    throw derived.refusal(of: node)
  }
}
