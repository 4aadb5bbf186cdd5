/// Resolving key paths without a row.
extension EntityLayout {
  /// Whether a key path is to-many and not reduced to one value by a collection operator.
  package func leadsToMany(_ path: ArraySlice<String>) -> Bool {
    var layout: EntityLayout? = self
    var isToMany = false
    for name in path {
      if name.hasPrefix("@") { return false }
      guard let current = layout else { return isToMany }
      if let number = current.toMany(named: name) {
        isToMany = true
        layout = current.toMany[number].relationship.destination
      } else {
        layout = current.slot(named: name).flatMap { current.slots[$0].relationship?.destination }
      }
    }
    return isToMany
  }

  /// Returns a path of property names in which each composite attribute is joined with its element path, which is the
  /// name of a slot: `region.center.latitude` becomes `region`, `center.latitude`.
  package func flattened(_ path: [String]) -> [String] {
    guard modelHasComposites else { return path }
    var layout: EntityLayout? = self
    var names: [String] = []
    var rest = path[...]
    while var name = rest.popFirst() {
      while layout?.composite(named: name) != nil, let element = rest.popFirst() { name += "." + element }
      names.append(name)
      layout = layout?.destination(of: name)
    }
    return names
  }

  /// Returns the entity at the end of a flattened path; nil if the path does not lead to an entity.
  package func destination(of path: [String]) -> EntityLayout? {
    path.reduce(self) { layout, name in layout?.destination(of: name) }
  }

  /// Returns the entity that a step of a path leads to; a collection operator stays at its members.
  private func destination(of name: String) -> EntityLayout? {
    if name.hasPrefix("@") || ["self", "SELF", "objectID"].contains(name) { return self }
    if let number = toMany(named: name) { return toMany[number].relationship.destination }
    return slot(named: name).flatMap { slots[$0].relationship?.destination }
  }
}
