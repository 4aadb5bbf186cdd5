import Foundation
import Synchronization

/// The entities of a program, and which of them belong to which store.
///
/// ```swift
/// let model = NSManagedObjectModel()
/// model.entities = [quakeEntity, regionEntity]
/// model.setEntities([quakeEntity], forConfigurationName: "Catalog")
/// ```
///
/// See <https://developer.apple.com/documentation/coredata/nsmanagedobjectmodel>
open class NSManagedObjectModel: NSObject, NSSecureCoding, @unchecked Sendable {
  // Sendable: one thread builds it; immutable once it is frozen (`freeze`).

  /// The entities, including subentities.
  ///
  /// An entity belongs to one model. If entities of another model are set, this one takes copies, whose relationships
  /// lead to the copies.
  public var entities: [NSEntityDescription] {
    // No property of a description has an observer: Swift skips observers while an initializer of the class sets the
    // property, including an initializer that a program adds in an extension.
    get { givenEntities }
    set {
      willEdit()
      for entity in givenEntities where entity.model === self { entity.model = nil }
      givenEntities = ModelCopies.ofStrangers(among: newValue)
      for entity in givenEntities { entity.model = self }
      adoptFamilies()
    }
  }
  private var givenEntities: [NSEntityDescription] = []

  /// Whether no entity or property has been edited since the model was read from an archive, so that the version hashes
  /// in it hold.
  @exclusivity(unchecked) package var archivedHashesAreValid = false

  /// Replaces subentities that are copies of the model's entities by those entities: a program that copies entities one
  /// by one copies a subentity with its parent, and once more on its own.
  private func adoptFamilies() {
    for entity in givenEntities where entity.subentities.contains(where: { $0.model !== self }) {
      entity.subentities = entity.subentities.map { child in
        child.model === self ? child : givenEntities.first { $0.name == child.name } ?? child
      }
    }
  }

  /// The entities by name.
  public var entitiesByName: [String: NSEntityDescription] {
    frozenNames ?? Dictionary(entities.map { ($0.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
  }
  /// Set when the model is frozen: every fetch looks up its entity.
  @exclusivity(unchecked) var frozenNames: [String: NSEntityDescription]?

  /// Labels that distinguish versions of the model for people. They have no effect.
  public var versionIdentifiers: Set<AnyHashable> {
    get { givenVersionIdentifiers }
    set { edit(&givenVersionIdentifiers, to: newValue) }
  }
  private var givenVersionIdentifiers: Set<AnyHashable> = []

  /// Localized strings for names, by `Entity/<name>`, `Property/<name>` and `ErrorString/<text>`.
  public var localizationDictionary: [String: String]? {
    get { givenLocalizationDictionary }
    set { edit(&givenLocalizationDictionary, to: newValue) }
  }
  private var givenLocalizationDictionary: [String: String]?

  /// The named fetch requests as stored in the model; `fetchRequestTemplatesByName` is their public form.
  package var fetchTemplates: [String: FetchTemplate] {
    get { givenFetchTemplates }
    set { edit(&givenFetchTemplates, to: newValue) }
  }
  private var givenFetchTemplates: [String: FetchTemplate] = [:]

  private var entitiesByConfiguration: [String: [NSEntityDescription]] = [:]

  /// The names of the configurations.
  public var configurations: [String] { entitiesByConfiguration.keys.sorted() }

  /// Sets the entities of a configuration: entities of the model, or copies of them.
  public func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
    willEdit()
    entitiesByConfiguration[configuration] = entities
  }

  /// Returns the entities of a configuration; nil if there is no such configuration, all entities for nil or the
  /// default name.
  public func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
    guard let configuration, configuration != Self.defaultConfigurationName else { return entities }
    return entitiesByConfiguration[configuration]?.compactMap { entity in
      entity.model === self ? entity : entities.first { $0.name == entity.name }
    }
  }

  /// The configuration name of stores with every entity, as in Apple's framework.
  package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

  /// The layouts by entity number, which starts at 1; set when the model is frozen.
  @exclusivity(unchecked) package internal(set) var layouts: [EntityLayout] = []

  /// The entities by number, which starts at 1; set when the model is frozen.
  // Set once, under the lock of `freeze()`, and read afterwards, so exclusive access need not be checked.
  @exclusivity(unchecked) var frozenEntities: [NSEntityDescription] = []

  /// The layout of the whole model; set when the model is frozen.
  @exclusivity(unchecked) var heldLayout: ModelLayout?

  /// Values that contexts derive from the frozen model, in a class of their own. The first context makes them for all.
  package let contextCaches = Mutex<(any AnyObject & Sendable)?>(nil)

  /// Whether an entity has derived attributes that are computed from other rows; false before the model is frozen.
  package var hasRemoteDerivations: Bool { heldLayout?.hasRemoteDerivations == true }

  package var isFrozen: Bool { !layouts.isEmpty }

  /// Creates a model without entities.
  public override init() { super.init() }

  deinit { for entity in givenEntities { entity.leave(self) } }

  /// Creates a model from an archive made by this framework; nil for any other archive. To read a compiled model, use
  /// `init(contentsOf:)`.
  public required init?(coder: NSCoder) {
    super.init()
    guard let data = coder.decodeObject(of: NSData.self, forKey: Self.archiveKey) as Data?,
      (try? ModelArchive.read(Array(data), into: self)) != nil
    else { return nil }
  }

  /// Returns whether another model has the same content.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectModel else { return false }
    return self === other || hasSameContent(as: other)
  }

  /// A hash that is equal for equal models.
  open override var hash: Int { entities.count }

  private func willEdit() {
    precondition(!isFrozen, "Can't modify an immutable model.")
  }

  private func edit<Value>(_ held: inout Value, to value: Value) {
    willEdit()
    held = value
  }

  /// Returns the layout of the entity with a number, which starts at 1.
  package func layout(number: Int) -> EntityLayout { layouts[number - 1] }

  /// Returns the entity of a layout of the model, which must be frozen.
  package func entity(of layout: EntityLayout) -> NSEntityDescription { entity(number: layout.number) }

  /// Returns the entity with a number, which starts at 1. The model must be frozen.
  package func entity(number: Int) -> NSEntityDescription { frozenEntities[number - 1] }

  /// Whether a layout is one of the model's.
  package func owns(_ layout: EntityLayout) -> Bool {
    layouts.indices.contains(layout.number - 1) && layouts[layout.number - 1] === layout
  }
}
