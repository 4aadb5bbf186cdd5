import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataPredicates

/// Key paths on the manager in mapping expressions: `$manager.sourceContext`.
extension NSMigrationManager: PredicateSubject {
  package func predicateResult(forKey key: String) -> PredicateResult {
    switch key {
    case "sourceContext": PredicateResult(plain: sourceContext)
    case "destinationContext": PredicateResult(plain: destinationContext)
    case "sourceModel": PredicateResult(plain: sourceModel)
    case "destinationModel": PredicateResult(plain: destinationModel)
    case "mappingModel": PredicateResult(plain: mappingModel)
    case "currentEntityMapping": PredicateResult(plain: currentEntityMapping)
    case "migrationProgress": .value(.real(Double(migrationProgress)))
    case "userInfo": PredicateResult(notes: userInfo)
    default: .unknownKey
    }
  }

  package var predicateIdentity: PredicateValue { .reference(PredicateReference(self)) }
}

/// Messages in Xcode's mapping models: `FUNCTION($manager, "name:", …)`, under the methods' Objective-C names.
extension NSMigrationManager: PredicateMessageReceiver {
  package func predicateResult(
    toMessage name: String, _ arguments: [PredicateResult]
  ) throws(PredicateEvaluationError) -> PredicateResult? {
    switch name {
    case "destinationInstancesForEntityMappingNamed:sourceInstances:":
      let objects = destinationInstances(
        forEntityMappingName: try text(arguments[0], name: name), sourceInstances: Self.objects(arguments[1].plain))
      return PredicateResult(plain: objects)
    case "sourceInstancesForEntityMappingNamed:destinationInstances:":
      let objects = sourceInstances(
        forEntityMappingName: try text(arguments[0], name: name), destinationInstances: Self.objects(arguments[1].plain)
      )
      return PredicateResult(plain: objects)
    case "destinationInstancesForSourceRelationshipNamed:sourceInstances:":
      // By any mapping: the relationship may lead to objects of several entities.
      return PredicateResult(plain: Self.objects(arguments[1].plain).flatMap(successors))
    case "fetchRequestForSourceEntityNamed:predicateString:":
      return PredicateResult(
        plain: try request(try text(arguments[0], name: name), where: try text(arguments[1], name: name)))
    case "fetchRequestForSourceEntityNamed:predicateString:includesSubentities:":
      let request = try request(try text(arguments[0], name: name), where: try text(arguments[1], name: name))
      request.includesSubentities = (arguments[2].plain as? NSNumber)?.boolValue ?? false
      return PredicateResult(plain: request)
    case "sourceEntityForEntityMapping:":
      return PredicateResult(plain: (arguments[0].plain as? NSEntityMapping).flatMap(sourceEntity))
    case "destinationEntityForEntityMapping:":
      return PredicateResult(plain: (arguments[0].plain as? NSEntityMapping).flatMap(destinationEntity))
    default: return nil
    }
  }

  private func text(_ result: PredicateResult, name: String) throws(PredicateEvaluationError) -> String {
    guard let text = result.plain as? String else { throw .noResult(name, reason: "it takes a name, not \(result).") }
    return text
  }

  /// An empty relationship has no objects.
  private static func objects(_ value: Any?) -> [NSManagedObject] {
    switch value {
    case let object as NSManagedObject: [object]
    case let set as NSOrderedSet: set.array.flatMap(objects)
    case let set as NSSet: set.allObjects.flatMap(objects)
    case let list as [Any]: list.flatMap(objects)
    default: []
    }
  }

  /// Objects of sub-entities have mappings of their own.
  private func request(
    _ entityName: String, where text: String
  ) throws(PredicateEvaluationError) -> NSFetchRequest<NSManagedObject> {
    guard sourceModel.entitiesByName[entityName] != nil else {
      throw .noResult("fetchRequestForSourceEntityNamed:", reason: "the old model has no entity '\(entityName)'.")
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
    request.includesSubentities = false
    do throws(PredicateSyntaxError) {
      request.predicate = .predicate(with: try PredicateParser.tree(text))
    } catch {
      throw .noResult("fetchRequestForSourceEntityNamed:", reason: "\(error)")
    }
    return request
  }
}

/// `FUNCTION($entityPolicy, "name:", …)`.
extension NSEntityMigrationPolicy: PredicateMessageReceiver {
  package func predicateResult(
    toMessage name: String, _ arguments: [PredicateResult]
  ) throws(PredicateEvaluationError) -> PredicateResult? {
    do {
      return PredicateResult(plain: try answer(toMessage: name, arguments: arguments.map(\.plain)))
    } catch {
      throw .noResult("FUNCTION($entityPolicy, \"\(name)\")", reason: "\(error.localizedDescription)")
    }
  }
}
