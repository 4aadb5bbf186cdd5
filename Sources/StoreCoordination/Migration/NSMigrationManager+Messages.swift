import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataPredicates

/// Key paths on the manager in mapping expressions: `$manager.sourceContext`.
extension NSMigrationManager: PredicateSubject {
  package func predicateAnswer(forKey key: String) -> PredicateAnswer {
    switch key {
    case "sourceContext": PredicateAnswer(plain: sourceContext)
    case "destinationContext": PredicateAnswer(plain: destinationContext)
    case "sourceModel": PredicateAnswer(plain: sourceModel)
    case "destinationModel": PredicateAnswer(plain: destinationModel)
    case "mappingModel": PredicateAnswer(plain: mappingModel)
    case "currentEntityMapping": PredicateAnswer(plain: currentEntityMapping)
    case "migrationProgress": .value(.real(Double(migrationProgress)))
    case "userInfo": PredicateAnswer(notes: userInfo)
    default: .unknownKey
    }
  }

  package var predicateIdentity: PredicateValue { .reference(PredicateReference(self)) }
}

/// Messages in Xcode's mapping models: `FUNCTION($manager, "name:", …)`, under the methods' Objective-C names.
extension NSMigrationManager: PredicateMessageReceiver {
  package func predicateAnswer(
    toMessage name: String, _ arguments: [PredicateAnswer]
  ) throws(PredicateEvaluationError) -> PredicateAnswer? {
    switch name {
    case "destinationInstancesForEntityMappingNamed:sourceInstances:":
      let objects = destinationInstances(
        forEntityMappingName: try text(arguments[0], name: name), sourceInstances: Self.objects(arguments[1].plain))
      return PredicateAnswer(plain: objects)
    case "sourceInstancesForEntityMappingNamed:destinationInstances:":
      let objects = sourceInstances(
        forEntityMappingName: try text(arguments[0], name: name), destinationInstances: Self.objects(arguments[1].plain)
      )
      return PredicateAnswer(plain: objects)
    case "destinationInstancesForSourceRelationshipNamed:sourceInstances:":
      // By any mapping: the relationship may lead to objects of several entities.
      return PredicateAnswer(plain: Self.objects(arguments[1].plain).flatMap(successors))
    case "fetchRequestForSourceEntityNamed:predicateString:":
      return PredicateAnswer(
        plain: try request(try text(arguments[0], name: name), where: try text(arguments[1], name: name)))
    case "fetchRequestForSourceEntityNamed:predicateString:includesSubentities:":
      let request = try request(try text(arguments[0], name: name), where: try text(arguments[1], name: name))
      request.includesSubentities = (arguments[2].plain as? NSNumber)?.boolValue ?? false
      return PredicateAnswer(plain: request)
    case "sourceEntityForEntityMapping:":
      return PredicateAnswer(plain: (arguments[0].plain as? NSEntityMapping).flatMap(sourceEntity))
    case "destinationEntityForEntityMapping:":
      return PredicateAnswer(plain: (arguments[0].plain as? NSEntityMapping).flatMap(destinationEntity))
    default: return nil
    }
  }

  private func text(_ answer: PredicateAnswer, name: String) throws(PredicateEvaluationError) -> String {
    guard let text = answer.plain as? String else { throw .noAnswer(name, reason: "it takes a name, not \(answer).") }
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
      throw .noAnswer("fetchRequestForSourceEntityNamed:", reason: "the old model has no entity '\(entityName)'.")
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
    request.includesSubentities = false
    do throws(PredicateSyntaxError) {
      request.predicate = .predicate(with: try PredicateParser.tree(text))
    } catch {
      throw .noAnswer("fetchRequestForSourceEntityNamed:", reason: "\(error)")
    }
    return request
  }
}

/// `FUNCTION($entityPolicy, "name:", …)`.
extension NSEntityMigrationPolicy: PredicateMessageReceiver {
  package func predicateAnswer(
    toMessage name: String, _ arguments: [PredicateAnswer]
  ) throws(PredicateEvaluationError) -> PredicateAnswer? {
    do {
      return PredicateAnswer(plain: try answer(toMessage: name, arguments: arguments.map(\.plain)))
    } catch {
      throw .noAnswer("FUNCTION($entityPolicy, \"\(name)\")", reason: "\(error.localizedDescription)")
    }
  }
}
