import StrataManagedModel

/// The relationships and constraints of a model by entity number, so that names are looked up only once.
struct RelationshipMap: Sendable {
  /// A to-one slot and the number of its inverse, a to-many relationship of the destination.
  struct BackReference: Sendable {
    var slot: Int
    var inverse: Int
  }

  enum ToMany: Sendable {
    /// The members are the rows whose to-one slot refers to the owner.
    case oneToMany(isOrdered: Bool)
    case manyToMany(inverse: Int, isOrdered: Bool, isInverseOrdered: Bool)
    /// Without an inverse: each row has at most one owner in this relationship. The number identifies it in the model.
    case ownerless(Int, isOrdered: Bool)

    var isOrdered: Bool {
      switch self {
      case .oneToMany(let isOrdered), .manyToMany(_, let isOrdered, _), .ownerless(_, let isOrdered): isOrdered
      }
    }
  }

  /// Slots whose values must be unique, and the constraint's number in the model.
  struct Constraint: Sendable {
    var number: Int
    var names: [String]
    var slots: [Int]
  }

  struct Entity: Sendable {
    var storedSlots: [Int] = []
    var toOneSlots: [Int] = []
    var backReferences: [BackReference] = []
    var toMany: [ToMany] = []
    /// The relationships without inverse whose destination may be this entity.
    var owners: [Int] = []
    var constraints: [Constraint] = []
  }

  private var entities: [Entity]
  private let layouts: [EntityLayout]

  func layout(_ number: Int) -> EntityLayout? {
    layouts.indices.contains(number - 1) ? layouts[number - 1] : nil
  }

  subscript(number: Int) -> Entity { entities[number - 1] }

  init(model: ModelLayout) {
    layouts = model.layouts
    entities = model.layouts.map(Self.slots)
    let ownerless = Self.ownerless(in: model)
    let constraints = Self.constraints(of: model)
    for layout in model.layouts {
      let index = layout.number - 1
      entities[index].toMany = layout.toMany.map { property in
        Self.toMany(property, ownerless: ownerless.firstIndex { $0 === property.relationship } ?? 0)
      }
      entities[index].owners = ownerless.indices.filter { layout.isKind(of: ownerless[$0].destination) }
      entities[index].constraints = constraints.compactMap { entity, names, number in
        guard layout.isKind(of: entity) else { return nil }
        return Constraint(number: number, names: names, slots: names.compactMap { layout.slot(named: $0) })
      }
    }
  }

  private static func slots(of layout: EntityLayout) -> Entity {
    var entity = Entity()
    for (slot, property) in layout.slots.enumerated() where !property.isTransient {
      entity.storedSlots.append(slot)
      guard property.kind == .toOne else { continue }
      entity.toOneSlots.append(slot)
      guard case .toMany(let number) = property.inverse else { continue }
      entity.backReferences.append(BackReference(slot: slot, inverse: number))
    }
    return entity
  }

  private static func toMany(_ property: ToManyProperty, ownerless: Int) -> ToMany {
    let isOrdered = property.relationship.isOrdered
    return switch property.inverse {
    case .none: .ownerless(ownerless, isOrdered: isOrdered)
    case .slot: .oneToMany(isOrdered: isOrdered)
    case .toMany(let number):
      .manyToMany(
        inverse: number, isOrdered: isOrdered, isInverseOrdered: property.relationship.inverse?.isOrdered == true)
    }
  }

  private static func ownerless(in model: ModelLayout) -> [RelationshipLayout] {
    model.layouts.flatMap { layout in
      layout.toMany.map(\.relationship).filter { layout.declares($0) && $0.inverse == nil }
    }
  }

  private static func constraints(of model: ModelLayout) -> [(entity: EntityLayout, names: [String], number: Int)] {
    model.layouts.flatMap { layout in layout.uniqueNames.map { (layout, $0) } }
      .enumerated().map { ($1.0, $1.1, $0) }
  }
}
