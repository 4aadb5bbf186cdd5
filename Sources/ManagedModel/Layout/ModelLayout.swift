/// The layouts of a frozen model's entities, and its configurations and version identifiers: all that a store needs of a
/// model whose rows it already has.
///
/// It owns the layouts. Relationships do not retain their destinations: code that follows them must keep this object
/// alive.
package final class ModelLayout: Sendable {
  /// By number, which starts at 1.
  package let layouts: [EntityLayout]
  /// Whether an entity has derived attributes that are computed from other rows.
  package let hasRemoteDerivations: Bool
  /// The version identifiers that are texts, sorted.
  package let versionIdentifiers: [String]
  /// The names of the configurations.
  package let configurations: [String]
  /// The numbers of the entities of each configuration.
  private let numbers: [String: [Int]]

  init(
    _ layouts: [EntityLayout], configurations: [String: [Int]], versionIdentifiers: [String], hasRemoteDerivations: Bool
  ) {
    self.layouts = layouts
    self.configurations = configurations.keys.sorted()
    self.versionIdentifiers = versionIdentifiers
    self.hasRemoteDerivations = hasRemoteDerivations
    numbers = configurations
  }

  /// Returns the layout of the entity with a number, which starts at 1.
  package func layout(number: Int) -> EntityLayout { layouts[number - 1] }

  /// Returns the layouts of a configuration's entities; nil if there is no such configuration, all layouts for nil or the
  /// default name.
  package func layouts(ofConfiguration name: String?) -> [EntityLayout]? {
    guard let name, name != NSManagedObjectModel.defaultConfigurationName else { return layouts }
    return numbers[name]?.map(layout)
  }
}
