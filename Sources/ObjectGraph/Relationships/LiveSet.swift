import Foundation
import StrataRowStore

/// A mutable set that represents a to-many relationship: it always shows the current members, and changing it changes
/// the relationship.
///
/// Foundation bridges only its own two set classes, and others to an empty `Set`: for a Swift `Set`, use `allObjects`
/// or `value(forKey:)`.
final class LiveSet: NSMutableSet {
  private let owner: NSManagedObject?
  private let number: Int

  init(of owner: NSManagedObject, toMany number: Int) {
    self.owner = owner
    self.number = number
    super.init(objects: [], count: 0)
  }

  /// An empty set without an owner, for Foundation's required initializer.
  required init(capacity numItems: Int) {
    (owner, number) = (nil, 0)
    super.init(capacity: numItems)
  }

  required convenience init?(coder aDecoder: NSCoder) { nil }

  private var members: [NSManagedObject] { owner?.linkedObjects(number) ?? [] }

  override var count: Int { owner?.linkCount(number) ?? 0 }

  override func member(_ object: Any) -> Any? {
    guard let owner, let object = object as? NSManagedObject, object.managedObjectContext === owner.context else {
      return nil
    }
    return owner.isLinked(to: object, toMany: number) ? object : nil
  }

  override func objectEnumerator() -> NSEnumerator { NSArray(array: members).objectEnumerator() }

  override var allObjects: [Any] { members }

  override func add(_ object: Any) {
    guard let owner else { return }
    owner.link(owner.checkedMember(object, toMany: number), toMany: number)
  }

  override func remove(_ object: Any) {
    guard let owner, let member = member(object) as? NSManagedObject else { return }
    owner.unlink(member, toMany: number)
  }

  override func removeAllObjects() { owner?.replaceLinks(number, with: []) }

  override func setSet(_ otherSet: Set<AnyHashable>) {
    guard let owner else { return }
    owner.replaceLinks(number, with: otherSet.map { owner.checkedMember($0.base, toMany: number) })
  }

  override func intersect(_ otherSet: Set<AnyHashable>) {
    let leaving = members.filter { !otherSet.contains($0) }
    let notice = owner?.beginNotice(toMany: number, .removal, each: leaving)
    for object in leaving { owner?.unlink(object, toMany: number) }
    notice?.end()
  }

  override func copy(with zone: NSZone? = nil) -> Any { NSSet(array: members) }

  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: members) }

  override func isEqual(_ value: Any?) -> Bool {
    guard let other = value as? NSSet, other.count == count else { return false }
    return other.allObjects.allSatisfy { member($0) != nil }
  }

  override func description(withLocale locale: Locale?) -> String { NSSet(array: members).description }
}
