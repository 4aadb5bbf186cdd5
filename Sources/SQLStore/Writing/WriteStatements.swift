import StrataManagedModel
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// The writing statements, kept across commits and found by number. Used only under the writer lock.
final class WriteStatements {
  /// Each set of updated slots needs a statement of its own; beyond this many per entity they are not kept.
  private static let maximumUpdates = 64

  let changes: ChangeWriter
  private let schema: StoreSchema
  private let connection: Connection
  @exclusivity(unchecked) private var inserts: [RowBinding?]
  @exclusivity(unchecked) private var deletions: [DeletionStatements?]
  /// Reads the values that the history keeps of deleted rows.
  @exclusivity(unchecked) private var tombstones: [Statement?]
  /// By entity number. Few, so searched linearly: a program pays for its first dictionary with a custom key by
  /// searching all of its conformances.
  @exclusivity(unchecked) private var updates: [[(slots: [UInt64], binding: RowBinding)]]

  /// By entity number and relationship.
  @exclusivity(unchecked) private var linkChanges: [[LinkChange?]]

  @exclusivity(unchecked) private var triggered: [Bool]?
  @exclusivity(unchecked) private var knowsTriggers = false

  init(schema: StoreSchema, connection: Connection) {
    self.schema = schema
    self.connection = connection
    changes = ChangeWriter(schema: schema)
    inserts = Array(repeating: nil, count: schema.model.layouts.count + 1)
    deletions = Array(repeating: nil, count: schema.model.layouts.count + 1)
    tombstones = Array(repeating: nil, count: schema.model.layouts.count + 1)
    updates = Array(repeating: [], count: schema.model.layouts.count + 1)
    linkChanges = Array(repeating: [], count: schema.model.layouts.count + 1)
  }

  @inline(__always)
  func insert(_ layout: EntityLayout) throws -> RowBinding {
    if let known = inserts[layout.number] { return known }
    let binding = try binding(changes.insert(layout), layout: layout)
    inserts[layout.number] = binding
    return binding
  }

  /// - Parameter slots: the slots to write, as a bit set.
  func update(_ layout: EntityLayout, slots: [UInt64]) throws -> RowBinding {
    for known in updates[layout.number] where known.slots == slots { return known.binding }
    let binding = try binding(changes.update(layout, slots: slots), layout: layout)
    if updates[layout.number].count >= Self.maximumUpdates { updates[layout.number] = [] }
    updates[layout.number].append((slots, binding))
    return binding
  }

  /// For each entity number, whether a trigger mentions its table; nil if no trigger mentions any.
  func triggeredEntities() throws -> [Bool]? {
    if !knowsTriggers { try learnTriggers() }
    return triggered
  }

  private func learnTriggers() throws {
    var names: Set<String> = []
    for row in try connection.rows("SELECT sql FROM sqlite_master WHERE type = 'trigger'") {
      if case .text(let text)? = row.first { names.formUnion(Self.namesInBody(of: text)) }
    }
    var entities = Array(repeating: false, count: schema.model.layouts.count + 1)
    for layout in schema.model.layouts where names.contains(schema.table(of: layout).name.uppercased()) {
      entities[layout.number] = true
    }
    triggered = entities.contains(true) ? entities : nil
    knowsTriggers = true
  }

  /// The names in a trigger's body. Those that it only reads are included, which costs an extra look at a row.
  private static func namesInBody(of trigger: String) -> [String] {
    let words = trigger.uppercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    return words.drop { $0 != "BEGIN" }.map(String.init)
  }

  /// The schema changed, so the triggers have to be looked up again.
  func forgetTriggers() { knowsTriggers = false }

  func deletion(_ layout: EntityLayout) throws -> DeletionStatements {
    if let known = deletions[layout.number] { return known }
    let made = try DeletionStatements(layout, changes: changes, connection: connection)
    deletions[layout.number] = made
    return made
  }

  /// The statements that change the pairs of a to-many relationship, or its members' column of a key.
  struct LinkChange {
    /// nil if to-one slots store the relationship.
    let statements: LinkStatements?
    /// Moves a member to the end; nil without an order.
    let moveToEnd: String?
  }

  func links(_ layout: EntityLayout, relationship: Int) -> LinkChange {
    if linkChanges[layout.number].isEmpty {
      linkChanges[layout.number] = Array(repeating: nil, count: layout.toMany.count)
    }
    if let known = linkChanges[layout.number][relationship] { return known }
    let made = LinkChange(
      statements: changes.links(of: layout, relationship: relationship),
      moveToEnd: changes.moveToEnd(layout, relationship: relationship))
    linkChanges[layout.number][relationship] = made
    return made
  }

  /// nil if the history keeps no values of the entity.
  func tombstone(_ layout: EntityLayout, history: HistoryWriter) throws -> Statement? {
    if let known = tombstones[layout.number] { return known }
    guard let text = history.tombstone(of: layout) else { return nil }
    let made = try connection.statement(text)
    tombstones[layout.number] = made
    return made
  }

  private func binding(_ statement: RowStatement, layout: EntityLayout) throws -> RowBinding {
    try RowBinding(statement, layout: layout, schema: schema, on: connection)
  }
}
