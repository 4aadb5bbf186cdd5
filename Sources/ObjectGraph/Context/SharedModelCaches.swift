import StrataManagedModel
import Synchronization

/// Values that contexts derive from their frozen model, by entity. A service makes a context for each request, and derives
/// them only for the first; each context has a copy, which it reads without a lock.
final class SharedModelCaches: Sendable {
  private let validationPlans = Mutex(PerEntity<ValidationPlan>())
  private let leadingRelationships = Mutex(PerEntity<[Int]>())

  static func of(_ model: NSManagedObjectModel) -> SharedModelCaches {
    model.contextCaches.withLock { caches in
      if let known = caches as? SharedModelCaches { return known }
      let new = SharedModelCaches()
      caches = new
      return new
    }
  }

  /// Returns the validation of objects like this one.
  func validationPlan(of object: NSManagedObject) -> ValidationPlan {
    let number = object.layout.number
    if let known = validationPlans.withLock({ $0[number] }), known.fits(object) { return known }
    let plan = ValidationPlan(of: object.layout, object.entity, objectClass: type(of: object))
    validationPlans.withLock { $0[number] = plan }
    return plan
  }

  /// Returns the positions of the to-many relationships that can lead to rows of an entity.
  func relationshipsLeading(to number: Int, in model: NSManagedObjectModel) -> [Int] {
    leadingRelationships.withLock { known in
      if let positions = known[number] { return positions }
      let layout = model.layout(number: number)
      let positions = Set(model.layouts.flatMap(\.toMany).filter { $0.relationship.leads(to: layout) }.map(\.index))
      known[number] = Array(positions)
      return Array(positions)
    }
  }
}
