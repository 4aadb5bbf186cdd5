/// Following key paths without a row.
extension EntityLayout {
  /// Whether a key path is to-many and not worked out to one value by a collection operator.
  package func leadsToMany(_ path: ArraySlice<String>) -> Bool {
    var layout: EntityLayout? = self
    var isToMany = false
    for name in path {
      if name.hasPrefix("@") { return false }
      guard let current = layout else { return isToMany }
      if let number = current.toMany(named: name) {
        isToMany = true
        layout = current.toMany[number].relationship.destinationEntity?.layout
      } else {
        layout = current.slot(named: name).flatMap { current.slots[$0].relationship?.destinationEntity?.layout }
      }
    }
    return isToMany
  }
}
