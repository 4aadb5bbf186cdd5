import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Assignments of values that a property cannot accept, which trap with the text of Apple's exception.
@Suite struct AssignmentTests {
  enum Misuse: String, CaseIterable, Codable, Sendable, CustomTestStringConvertible {
    case otherEntity, noObject, notASet, notAnOrderedSet, memberOfAnotherEntity, textForANumber, otherContext
    case otherContextInASet, unknownKey
    var testDescription: String { rawValue }

    var text: String {
      switch self {
      case .otherEntity:
        "Unacceptable type of value for to-one relationship: property = \"parent\"; desired type = NSManagedObject; given type = "
      case .noObject:
        "Unacceptable type of value for to-one relationship: property = \"parent\"; desired type = NSManagedObject; given type = String; value = x."
      case .notASet:
        "Unacceptable type of value for to-many relationship: property = \"friends\"; desired type = NSSet; given type = "
      case .notAnOrderedSet:
        "Unacceptable type of value for to-many relationship: property = \"books\"; desired type = NSOrderedSet; given type = "
      case .memberOfAnotherEntity:
        "Unacceptable type of value for to-many relationship: property = \"friends\"; desired type = NSManagedObject; given type = "
      case .textForANumber:
        "Unacceptable type of value for attribute: property = \"name\"; desired type = NSString; given type = Int; value = 3."
      case .otherContext, .otherContextInASet:
        "between objects in different contexts (source = "
      case .unknownKey: "not key value coding-compliant for the key \"nothing\"."
      }
    }

    @MainActor func commit() throws {
      let container = try Store.memory.library()
      let context = container.viewContext
      let other = context.child()
      let person = context.insert("Person")
      switch self {
      case .otherEntity: person.setValue(context.insert("Box"), forKey: "parent")
      case .noObject: person.setValue("x", forKey: "parent")
      case .notASet: person.setValue(NSOrderedSet(object: person), forKey: "friends")
      case .notAnOrderedSet: context.insert("List").setValue(NSSet(), forKey: "books")
      case .memberOfAnotherEntity: person.mutableSetValue(forKey: "friends").add(context.insert("Box"))
      case .textForANumber: person.setValue(3, forKey: "name")
      case .otherContext: person.setValue(other.insert("Person"), forKey: "parent")
      case .otherContextInASet: person.mutableSetValue(forKey: "friends").add(other.insert("Person"))
      case .unknownKey: person.setValue(3, forKey: "nothing")
      }
    }
  }

  @Test(arguments: Misuse.allCases)
  func `assigning an unacceptable value stops the program`(_ misuse: Misuse) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [misuse] in
      try await MainActor.run { try misuse.commit() }
    }
    let text = result.errorText
    #expect(text.contains(misuse.text), "\(text)")
  }
}
