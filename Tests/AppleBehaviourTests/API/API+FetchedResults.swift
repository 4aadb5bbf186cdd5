import CoreData
import Foundation
import Testing

/// All symbols of fetched results controllers.
@Suite struct FetchedResultsAPI {
  private typealias Controller = NSFetchedResultsController<NSManagedObject>
  private typealias Delegate = any NSFetchedResultsControllerDelegate

  @Test func controllerIsThere() {
    use("class||NSFetchedResultsController", Controller.self as NSObject.Type)
    use(
      "init|NSFetchedResultsController|init(fetchRequest:managedObjectContext:sectionNameKeyPath:cacheName:)",
      { (request: NSFetchRequest<NSManagedObject>, context: NSManagedObjectContext) -> Controller in
        Controller(fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      })
    use("property|NSFetchedResultsController|cacheName", \Controller.cacheName as KeyPath<Controller, String?>)
    use("property|NSFetchedResultsController|delegate", \Controller.delegate as WritableKeyPath<Controller, Delegate?>)
    use(
      "type-method|NSFetchedResultsController|deleteCache(withName:)",
      Controller.deleteCache(withName:) as (String?) -> Void)
    use(
      "property|NSFetchedResultsController|fetchedObjects",
      \Controller.fetchedObjects as KeyPath<Controller, [NSManagedObject]?>)
    use(
      "property|NSFetchedResultsController|fetchRequest",
      \Controller.fetchRequest as KeyPath<Controller, NSFetchRequest<NSManagedObject>>)
    use(
      "method|NSFetchedResultsController|indexPath(forObject:)",
      Controller.indexPath(forObject:) as (Controller) -> (NSManagedObject) -> IndexPath?)
    use(
      "property|NSFetchedResultsController|managedObjectContext",
      \Controller.managedObjectContext as KeyPath<Controller, NSManagedObjectContext>)
    use(
      "method|NSFetchedResultsController|object(at:)",
      Controller.object(at:) as (Controller) -> (IndexPath) -> NSManagedObject)
    use(
      "method|NSFetchedResultsController|performFetch()", Controller.performFetch as (Controller) -> () throws -> Void)
    use(
      "method|NSFetchedResultsController|section(forSectionIndexTitle:at:)",
      Controller.section(forSectionIndexTitle:at:) as (Controller) -> (String, Int) -> Int)
    use(
      "method|NSFetchedResultsController|sectionIndexTitle(forSectionName:)",
      Controller.sectionIndexTitle(forSectionName:) as (Controller) -> (String) -> String?)
    use(
      "property|NSFetchedResultsController|sectionIndexTitles",
      \Controller.sectionIndexTitles as KeyPath<Controller, [String]>)
    use(
      "property|NSFetchedResultsController|sectionNameKeyPath",
      \Controller.sectionNameKeyPath as KeyPath<Controller, String?>)
    use(
      "property|NSFetchedResultsController|sections",
      \Controller.sections as KeyPath<Controller, [any NSFetchedResultsSectionInfo]?>)
  }

  @Test func delegateIsThere() {
    use(
      "method|NSFetchedResultsControllerDelegate|controller(_:didChange:at:for:newIndexPath:)",
      { (delegate: Delegate, controller: AnyController) in
        delegate.controller(controller, didChange: 0, at: IndexPath?.none, for: .insert, newIndexPath: IndexPath?.none)
      })
    use(
      "method|NSFetchedResultsControllerDelegate|controller(_:didChange:atSectionIndex:for:)",
      { (delegate: Delegate, controller: AnyController, info: any NSFetchedResultsSectionInfo) in
        delegate.controller(controller, didChange: info, atSectionIndex: 0, for: .delete)
      })
    use(
      "method|NSFetchedResultsControllerDelegate|controller(_:didChangeContentWith:)",
      { (delegate: Delegate, controller: AnyController, difference: CollectionDifference<NSManagedObjectID>) in
        delegate.controller(controller, didChangeContentWith: difference)
      })
    use(
      "method|NSFetchedResultsControllerDelegate|controller(_:sectionIndexTitleForSectionName:)",
      { (delegate: Delegate, controller: AnyController) -> String? in
        delegate.controller(controller, sectionIndexTitleForSectionName: "")
      })
    use(
      "method|NSFetchedResultsControllerDelegate|controllerDidChangeContent(_:)",
      { (delegate: Delegate, controller: AnyController) in delegate.controllerDidChangeContent(controller) })
    use(
      "method|NSFetchedResultsControllerDelegate|controllerWillChangeContent(_:)",
      { (delegate: Delegate, controller: AnyController) in delegate.controllerWillChangeContent(controller) })
  }

  @Test func sectionsAndChangesAreThere() {
    typealias Info = any NSFetchedResultsSectionInfo
    use("property|NSFetchedResultsSectionInfo|indexTitle", { (info: Info) -> String? in info.indexTitle })
    use("property|NSFetchedResultsSectionInfo|name", { (info: Info) -> String in info.name })
    use("property|NSFetchedResultsSectionInfo|numberOfObjects", { (info: Info) -> Int in info.numberOfObjects })
    use("property|NSFetchedResultsSectionInfo|objects", { (info: Info) -> [Any]? in info.objects })
    use("enum||NSFetchedResultsChangeType", NSFetchedResultsChangeType.self)
    use("init|NSFetchedResultsChangeType|init(rawValue:)", NSFetchedResultsChangeType(rawValue: 0), nil)
    use("case|NSFetchedResultsChangeType|insert", NSFetchedResultsChangeType.insert.rawValue, 1)
    use("case|NSFetchedResultsChangeType|delete", NSFetchedResultsChangeType.delete.rawValue, 2)
    use("case|NSFetchedResultsChangeType|move", NSFetchedResultsChangeType.move.rawValue, 3)
    use("case|NSFetchedResultsChangeType|update", NSFetchedResultsChangeType.update.rawValue, 4)
  }
}
