import Foundation

/// Entities and models are equal if their contents are; entities related to an entity are compared by name.
extension NSEntityDescription {
  final func hasSameContent(as other: NSEntityDescription) -> Bool {
    (name, managedObjectClassName, isAbstract) == (other.name, other.managedObjectClassName, other.isAbstract)
      && (renamingIdentifier, versionHashModifier) == (other.renamingIdentifier, other.versionHashModifier)
      && superentity?.name == other.superentity?.name
      && Set(subentities.map(\.name)) == Set(other.subentities.map(\.name))
      && uniqueNames == other.uniqueNames && isSame(userInfo, other.userInfo)
      && isSameByName(ownProperties, other.ownProperties, name: \.name)
      && isSameByName(indexes, other.indexes, name: \.name)
  }
}

extension NSManagedObjectModel {
  final func hasSameContent(as other: NSManagedObjectModel) -> Bool {
    entities.count == other.entities.count && versionIdentifiers == other.versionIdentifiers
      && entitiesByName == other.entitiesByName && configurations == other.configurations
      && configurations.allSatisfy { configuration in
        Set((entities(forConfigurationName: configuration) ?? []).map(\.name))
          == Set((other.entities(forConfigurationName: configuration) ?? []).map(\.name))
      }
      && fetchTemplates.count == other.fetchTemplates.count
      && fetchTemplates.allSatisfy { name, template in
        other.fetchTemplates[name].map(template.asks(theSameAs:)) ?? false
      }
  }
}

/// Whether two lists have equal members, in any order.
private func isSameByName<Member: NSObject>(
  _ members: [Member], _ others: [Member], name: (Member) -> String
) -> Bool {
  guard members.count == others.count else { return false }
  let named = Dictionary(others.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
  return members.allSatisfy { named[name($0)] == $0 }
}
