import CoreData
import Foundation
import Testing

private typealias Request = NSFetchRequest<NSManagedObject>
private typealias AnyRequest = NSFetchRequest<any NSFetchRequestResult>
private typealias AsynchronousRequest = NSAsynchronousFetchRequest<NSManagedObject>
private typealias AsynchronousResult = NSAsynchronousFetchResult<NSManagedObject>

/// All symbols of fetches.
@Suite struct FetchingAPI {
  @Test func requestsAreThere() {
    use(
      "property|NSFetchRequest|affectedStores",
      \Request.affectedStores as ReferenceWritableKeyPath<Request, [NSPersistentStore]?>)
    use("property|NSFetchRequest|entity", \Request.entity as ReferenceWritableKeyPath<Request, NSEntityDescription?>)
    use("property|NSFetchRequest|entityName", \Request.entityName as KeyPath<Request, String?>)
    use("property|NSFetchRequest|fetchBatchSize", \Request.fetchBatchSize as ReferenceWritableKeyPath<Request, Int>)
    use("property|NSFetchRequest|fetchLimit", \Request.fetchLimit as ReferenceWritableKeyPath<Request, Int>)
    use("property|NSFetchRequest|fetchOffset", \Request.fetchOffset as ReferenceWritableKeyPath<Request, Int>)
    use(
      "property|NSFetchRequest|havingPredicate",
      \Request.havingPredicate as ReferenceWritableKeyPath<Request, NSPredicate?>)
    use(
      "property|NSFetchRequest|includesPendingChanges",
      \Request.includesPendingChanges as ReferenceWritableKeyPath<Request, Bool>)
    use(
      "property|NSFetchRequest|includesPropertyValues",
      \Request.includesPropertyValues as ReferenceWritableKeyPath<Request, Bool>)
    use(
      "property|NSFetchRequest|includesSubentities",
      \Request.includesSubentities as ReferenceWritableKeyPath<Request, Bool>)
    use("property|NSFetchRequest|predicate", \Request.predicate as ReferenceWritableKeyPath<Request, NSPredicate?>)
    use(
      "property|NSFetchRequest|propertiesToFetch",
      \Request.propertiesToFetch as ReferenceWritableKeyPath<Request, [Any]?>)
    use(
      "property|NSFetchRequest|propertiesToGroupBy",
      \Request.propertiesToGroupBy as ReferenceWritableKeyPath<Request, [Any]?>)
    use(
      "property|NSFetchRequest|relationshipKeyPathsForPrefetching",
      \Request.relationshipKeyPathsForPrefetching as ReferenceWritableKeyPath<Request, [String]?>)
    use(
      "property|NSFetchRequest|resultType",
      \Request.resultType as ReferenceWritableKeyPath<Request, NSFetchRequestResultType>)
    use(
      "property|NSFetchRequest|returnsDistinctResults",
      \Request.returnsDistinctResults as ReferenceWritableKeyPath<Request, Bool>)
    use(
      "property|NSFetchRequest|returnsObjectsAsFaults",
      \Request.returnsObjectsAsFaults as ReferenceWritableKeyPath<Request, Bool>)
    use(
      "property|NSFetchRequest|shouldRefreshRefetchedObjects",
      \Request.shouldRefreshRefetchedObjects as ReferenceWritableKeyPath<Request, Bool>)
    use(
      "property|NSFetchRequest|sortDescriptors",
      \Request.sortDescriptors as ReferenceWritableKeyPath<Request, [NSSortDescriptor]?>)
    use("init|NSFetchRequest|init()", Request.init as () -> Request)
    use("init|NSFetchRequest|init(entityName:)", Request.init(entityName:) as (String) -> Request)
    use("method|NSFetchRequest|execute()", Request.execute as (Request) -> () throws -> [NSManagedObject])
    use("class||NSFetchRequest", Request.self)
    use("conformance|NSFetchRequest|NSCopying", Request.self as any NSCopying.Type)
  }

  @Test func resultTypesAreThere() {
    typealias Kind = NSFetchRequestResultType
    use("option|NSFetchRequestResultType|managedObjectResultType", Kind.managedObjectResultType.rawValue, 0)
    use("option|NSFetchRequestResultType|managedObjectIDResultType", Kind.managedObjectIDResultType.rawValue, 1)
    use("option|NSFetchRequestResultType|dictionaryResultType", Kind.dictionaryResultType.rawValue, 2)
    use("option|NSFetchRequestResultType|countResultType", Kind.countResultType.rawValue, 4)
    use("init|NSFetchRequestResultType|init(rawValue:)", Kind.init(rawValue:) as (UInt) -> Kind)
    use("struct||NSFetchRequestResultType", Kind.self)
    use("conformance|NSFetchRequestResultType|OptionSet", Kind.self as any OptionSet.Type)
  }

  @Test func templatesAreThere() {
    typealias Model = NSManagedObjectModel
    use(
      "method|NSManagedObjectModel|fetchRequestFromTemplate(withName:substitutionVariables:)",
      Model.fetchRequestFromTemplate(withName:substitutionVariables:)
        as (Model) -> (String, [String: Any]) -> NSFetchRequest<any NSFetchRequestResult>?)
    use(
      "method|NSManagedObjectModel|fetchRequestTemplate(forName:)",
      Model.fetchRequestTemplate(forName:) as (Model) -> (String) -> NSFetchRequest<any NSFetchRequestResult>?)
    use(
      "property|NSManagedObjectModel|fetchRequestTemplatesByName",
      \Model.fetchRequestTemplatesByName as KeyPath<Model, [String: NSFetchRequest<any NSFetchRequestResult>]>)
    use(
      "method|NSManagedObjectModel|setFetchRequestTemplate(_:forName:)",
      Model.setFetchRequestTemplate(_:forName:)
        as (Model) -> (NSFetchRequest<any NSFetchRequestResult>?, String) -> Void)
  }

  @Test func descriptionsAreThere() {
    use(
      "property|NSExpressionDescription|expression",
      \NSExpressionDescription.expression as ReferenceWritableKeyPath<NSExpressionDescription, NSExpression?>)
    use(
      "property|NSExpressionDescription|expressionResultType",
      \NSExpressionDescription.expressionResultType
        as ReferenceWritableKeyPath<NSExpressionDescription, NSAttributeType>)
    use(
      "property|NSExpressionDescription|resultType",
      \NSExpressionDescription.resultType
        as ReferenceWritableKeyPath<NSExpressionDescription, NSAttributeDescription.AttributeType>)
    use("class||NSExpressionDescription", NSExpressionDescription.self)
    use("init|NSExpressionDescription|init()", NSExpressionDescription.init as () -> NSExpressionDescription)
    use(
      "property|NSFetchedPropertyDescription|fetchRequest",
      \NSFetchedPropertyDescription.fetchRequest
        as ReferenceWritableKeyPath<NSFetchedPropertyDescription, NSFetchRequest<any NSFetchRequestResult>?>)
    use("class||NSFetchedPropertyDescription", NSFetchedPropertyDescription.self)
    use(
      "init|NSFetchedPropertyDescription|init()",
      NSFetchedPropertyDescription.init as () -> NSFetchedPropertyDescription)
  }

  @Test func expressionsAreThere() {
    use(
      "property|NSFetchRequestExpression|contextExpression",
      \NSFetchRequestExpression.contextExpression as KeyPath<NSFetchRequestExpression, NSExpression>)
    use(
      "property|NSFetchRequestExpression|requestExpression",
      \NSFetchRequestExpression.requestExpression as KeyPath<NSFetchRequestExpression, NSExpression>)
    use(
      "property|NSFetchRequestExpression|isCountOnlyRequest",
      \NSFetchRequestExpression.isCountOnlyRequest as KeyPath<NSFetchRequestExpression, Bool>)
    use(
      "type-method|NSFetchRequestExpression|expression(forFetch:context:countOnly:)",
      NSFetchRequestExpression.expression(forFetch:context:countOnly:)
        as (NSExpression, NSExpression, Bool) -> NSExpression)
    use("class||NSFetchRequestExpression", NSFetchRequestExpression.self)
  }

  @Test func asynchronousFetchesAreThere() {
    typealias Block = NSPersistentStoreAsynchronousFetchResultCompletionBlock
    use(
      "typealias||NSPersistentStoreAsynchronousFetchResultCompletionBlock",
      Block.self as ((NSAsynchronousFetchResult<any NSFetchRequestResult>) -> Void).Type)
    use(
      "property|NSAsynchronousFetchRequest|completionBlock",
      \AsynchronousRequest.completionBlock as KeyPath<AsynchronousRequest, Block?>)
    use(
      "property|NSAsynchronousFetchRequest|estimatedResultCount",
      \AsynchronousRequest.estimatedResultCount as ReferenceWritableKeyPath<AsynchronousRequest, Int>)
    use(
      "property|NSAsynchronousFetchRequest|fetchRequest",
      \AsynchronousRequest.fetchRequest as KeyPath<AsynchronousRequest, Request>)
    use(
      "init|NSAsynchronousFetchRequest|init(fetchRequest:completionBlock:)",
      AsynchronousRequest.init(fetchRequest:completionBlock:)
        as (Request, ((AsynchronousResult) -> Void)?) -> AsynchronousRequest)
    use("class||NSAsynchronousFetchRequest", AsynchronousRequest.self)
    use(
      "property|NSAsynchronousFetchResult|fetchRequest",
      \AsynchronousResult.fetchRequest as KeyPath<AsynchronousResult, AsynchronousRequest>)
    use(
      "property|NSAsynchronousFetchResult|finalResult",
      \AsynchronousResult.finalResult as KeyPath<AsynchronousResult, [NSManagedObject]?>)
    use("class||NSAsynchronousFetchResult", AsynchronousResult.self)
    typealias Result = NSPersistentStoreAsynchronousResult
    use("method|NSPersistentStoreAsynchronousResult|cancel()", Result.cancel as (Result) -> () -> Void)
    use(
      "property|NSPersistentStoreAsynchronousResult|managedObjectContext",
      \Result.managedObjectContext as KeyPath<Result, NSManagedObjectContext>)
    use(
      "property|NSPersistentStoreAsynchronousResult|operationError",
      \Result.operationError as KeyPath<Result, (any Error)?>)
    use("property|NSPersistentStoreAsynchronousResult|progress", \Result.progress as KeyPath<Result, Progress?>)
    use("class||NSPersistentStoreAsynchronousResult", Result.self)
  }
}
