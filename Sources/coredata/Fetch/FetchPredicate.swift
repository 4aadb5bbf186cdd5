import CoreData
import Foundation
import StrataManagedModel
import StrataPredicates

/// Reads predicates as users type them.
struct FetchPredicate {
  let entity: NSEntityDescription
  let store: NSPersistentStore

  /// - Throws: `ToolFailure` for an invalid predicate, an unknown key, and a variable.
  func predicate(_ text: String) throws -> NSPredicate {
    let tree: PredicateNode
    do throws(PredicateSyntaxError) {
      tree = try PredicateParser.tree(text, arguments: [])
    } catch {
      throw ToolFailure(
        .usage,
        "the predicate cannot be read: column \(error.column): \(error.problem)\n\(marked(text, error.column))")
    }
    if let variable = tree.variables.sorted().first {
      throw ToolFailure(.usage, "the predicate has a variable, $\(variable), but no value for it")
    }
    for path in tree.keyPaths.sorted(by: { $0.lexicographicallyPrecedes($1) }) { try check(path) }
    return .predicate(with: try typed(tree))
  }

  /// The text and, below it, a mark at a column.
  private func marked(_ text: String, _ column: Int) -> String {
    "  \(Console.printable(text))\n  \(String(repeating: " ", count: max(0, column - 1)))^"
  }

  /// - Throws: `ToolFailure` for a key that an entity on the way does not have.
  private func check(_ path: [String]) throws {
    var entity: NSEntityDescription? = entity
    for name in path {
      // Operators such as @count, and what every object has.
      guard let current = entity, !name.hasPrefix("@"), !["self", "SELF", "objectID", "entity"].contains(name) else {
        continue
      }
      guard let property = current.propertiesByName[name] else {
        let known = current.propertiesByName.keys.sorted().joined(separator: ", ")
        throw ToolFailure(
          .usage, "the predicate names '\(name)', and the entity '\(current.name ?? "")' has only \(known)")
      }
      // Elements of composite attributes are left to the fetch.
      entity = (property as? NSRelationshipDescription)?.destinationEntity
    }
  }

  // MARK: Texts for what the language has no literals for

  /// The predicate with text that is compared with a date, a UUID, a URI or an object converted to that type.
  private func typed(_ tree: PredicateNode) throws -> PredicateNode {
    switch tree {
    case .constant: return tree
    case .not(let node): return .not(try typed(node))
    case .and(let nodes): return .and(try nodes.map(typed))
    case .or(let nodes): return .or(try nodes.map(typed))
    case .comparison(let comparison):
      var comparison = comparison
      if let type = type(of: comparison.left) { comparison.right = try typed(comparison.right, as: type) }
      if let type = type(of: comparison.right) { comparison.left = try typed(comparison.left, as: type) }
      return .comparison(comparison)
    }
  }

  private enum TextType { case date, uuid, uri, object(NSEntityDescription) }

  /// The type of an expression, if texts do not have it.
  private func type(of expression: ExpressionNode) -> TextType? {
    guard let path = expression.base(bound: [:]) else { return nil }
    var current = entity
    for (index, name) in path.enumerated() where !["self", "SELF", "objectID"].contains(name) {
      switch current.propertiesByName[name] {
      case let relationship as NSRelationshipDescription:
        guard let destination = relationship.destinationEntity else { return nil }
        current = destination
      case let attribute as NSAttributeDescription: return Self.type(of: attribute, Array(path[(index + 1)...]))
      default: return nil
      }
    }
    return .object(current)
  }

  private static func type(of attribute: NSAttributeDescription, _ elements: [String]) -> TextType? {
    if let name = elements.first {
      let element = (attribute as? NSCompositeAttributeDescription)?.elements.first { $0.name == name }
      return element.flatMap { type(of: $0, Array(elements.dropFirst())) }
    }
    return switch attribute.attributeType {
    case .dateAttributeType: .date
    case .UUIDAttributeType: .uuid
    case .URIAttributeType: .uri
    default: nil
    }
  }

  private func typed(_ expression: ExpressionNode, as type: TextType) throws -> ExpressionNode {
    switch expression {
    case .value(let value): .value(try value.mapping { try typed($0, as: type) })
    case .aggregate(let members): .aggregate(try members.map { try typed($0, as: type) })
    default: expression
    }
  }

  private func typed(_ value: PredicateValue, as type: TextType) throws -> PredicateValue {
    guard case .string(let text) = value else { return value }
    switch type {
    case .date:
      guard let date = ISODate.date(text) else { throw refusal(text, "a date, such as 2026-01-31T12:00:00Z") }
      return .date(date)
    case .uuid:
      guard let uuid = UUID(uuidString: text) else { throw refusal(text, "a UUID") }
      return .uuid(uuid)
    case .uri:
      guard let url = URL(string: text) else { throw refusal(text, "a URI") }
      return .url(url)
    case .object(let entity):
      return .reference(PredicateReference(try objectID(text, of: entity)))
    }
  }

  private func refusal(_ text: String, _ wanted: String) -> ToolFailure {
    ToolFailure(.usage, "the predicate compares with '\(text)', which is not \(wanted)")
  }

  /// - Parameter text: the URI of an ID, or its end: `Book/p12`.
  private func objectID(_ text: String, of entity: NSEntityDescription) throws -> NSManagedObjectID {
    let uri = text.contains("://") ? text : "x-coredata://\(store.identifier ?? "")/\(text)"
    guard let url = URL(string: uri),
      let id = store.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url)
    else { throw refusal(text, "the ID of an object in this store, such as \(entity.name ?? "")/p1") }
    return id
  }
}
