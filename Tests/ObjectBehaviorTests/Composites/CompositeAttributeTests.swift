import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// The value of a composite attribute is a dictionary; its elements have their own key paths.
/// See https://developer.apple.com/documentation/coredata/nscompositeattributedescription
@MainActor @Suite struct CompositeAttributeTests {
  private func jolt(_ store: Store) throws -> (Jolt, NSManagedObjectContext) {
    let context = try store.people(Jolts.model).viewContext
    return (try #require(context.insert("Jolt") as? Jolt), context)
  }

  @Test(arguments: Store.every)
  func `a dictionary is saved and read back`(_ store: Store) throws {
    let (jolt, context) = try jolt(store)
    let first = Date(timeIntervalSinceReferenceDate: 7.5)
    jolt.magnitude = ["richter": 4.6, "kind": "ml", "felt": ["by": 12, "first": first]]
    jolt.epicenter = ["latitude": 1.5, "longitude": -2.5, "codes": ["a", "b"]]
    try context.save()
    context.reset()
    let found = try #require(context.fetch("Jolt").first as? Jolt)
    let magnitude = try #require(found.magnitude)
    #expect(magnitude.keys.sorted() == ["felt", "kind", "richter"])
    #expect(magnitude["richter"] as? Double == 4.6 && magnitude["kind"] as? String == "ml")
    #expect((magnitude["felt"] as? [String: Any])?["by"] as? Int == 12)
    #expect((magnitude["felt"] as? [String: Any])?["first"] as? Date == first)
    // Nil elements have no key.
    #expect(found.epicenter?.keys.sorted() == ["codes", "latitude", "longitude"])
    #expect(found.epicenter?["codes"] as? [String] == ["a", "b"])
    #expect(found.value(forKey: "magnitude") as? NSDictionary == magnitude as NSDictionary)
    #expect(found.primitiveValue(forKey: "magnitude") as? NSDictionary == magnitude as NSDictionary)
    #expect(found.description.contains("epicenter = ["))
  }

  @Test(arguments: Store.every)
  func `elements missing from the dictionary become nil`(_ store: Store) throws {
    let (jolt, context) = try jolt(store)
    jolt.magnitude = ["richter": 4.6, "felt": ["by": 12]]
    jolt.magnitude = ["felt": ["first": NSNull()], "kind": "mb"]
    #expect(jolt.magnitude as NSDictionary? == ["kind": "mb"])
    try context.save()
    jolt.magnitude = nil
    try context.save()
    context.reset()
    let found = try #require(context.fetch("Jolt").first as? Jolt)
    #expect(found.magnitude == nil && found.part("magnitude.kind") == nil)
    // An empty dictionary is nil.
    found.magnitude = [:]
    #expect(found.magnitude == nil && !found.hasPersistentChangedValues)
  }

  @Test(arguments: Store.every)
  func `key paths read and set elements`(_ store: Store) throws {
    let (jolt, context) = try jolt(store)
    let zone = context.insert("Zone", ["jolts": [jolt] as Set<NSManagedObject>])
    jolt.setValue(5.5, forKeyPath: "magnitude.richter")
    jolt.setValue(3, forKeyPath: "magnitude.felt.by")
    jolt.setValue(8.5, forKeyPath: "zone.center.latitude")
    #expect(jolt.magnitude?["richter"] as? Double == 5.5 && jolt.part("magnitude.felt.by") == 3 as NSNumber)
    #expect(zone.part("center.latitude") == 8.5 as NSNumber)
    #expect(zone.value(forKeyPath: "jolts.@max.magnitude.richter") as? Double == 5.5)
    jolt.setValue(["by": 4], forKeyPath: "magnitude.felt")
    jolt.setValue(nil, forKeyPath: "magnitude.richter")
    #expect(jolt.magnitude as NSDictionary? == ["kind": "mw", "felt": ["by": 4]])
    try context.save()
    context.refreshAllObjects()
    #expect(jolt.part("magnitude.felt.by") == 4 as NSNumber && jolt.part("zone.center.latitude") == 8.5 as NSNumber)
  }

  @Test func `new objects have the default values of the elements`() throws {
    let (jolt, _) = try jolt(.memory)
    #expect(jolt.magnitude as NSDictionary? == ["kind": "mw"] && jolt.epicenter == nil)
    let magnitude = try #require(jolt.entity.attributesByName["magnitude"])
    #expect(magnitude.defaultValue as? NSDictionary == ["kind": "mw"])
    #expect(jolt.entity.attributesByName.keys.sorted() == ["code", "epicenter", "magnitude"])
  }

  @Test func `a value that matches no element stops the program`() async throws {
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        _ = try Store.memory.people(Jolts.model).viewContext.insert("Jolt", ["magnitude": ["mercalli": 4]])
      }
    }
    #expect(
      unknown.errorText.contains(
        "property = \"magnitude\"; the composite attribute has no element 'mercalli'; its elements are felt, kind, richter"
      ))
    let type = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        _ = try Store.memory.people(Jolts.model).viewContext.insert("Jolt", ["magnitude": ["richter": "4"]])
      }
    }
    #expect(type.errorText.contains("property = \"magnitude.richter\"; desired type = NSNumber; given type = String"))
    let value = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run { _ = try Store.memory.people(Jolts.model).viewContext.insert("Jolt", ["magnitude": 4]) }
    }
    #expect(value.errorText.contains("property = \"magnitude\"; desired type = NSDictionary; given type = Int"))
  }

  @Test func `undefined elements and changes of a model in use stop the program`() async throws {
    let undefined = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        let composite = compositeAttribute("c", [attribute("a", .undefined)])
        _ = try Store.memory.people(makeModel(makeEntity("E", [composite])))
      }
    }
    #expect(undefined.errorText.contains("The element 'E.c.a' is undefined"))
    let frozen = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        let (jolt, _) = (try Store.memory.people(Jolts.model).viewContext.insert("Jolt"), 0)
        (jolt.entity.attributesByName["epicenter"] as? NSCompositeAttributeDescription)?.elements[0].name = "other"
      }
    }
    #expect(frozen.errorText.contains("Can't modify an immutable model."))
  }

  @Test(arguments: Store.allCases)
  func `changing an element changes its composite attribute`(_ store: Store) throws {
    let (jolt, context) = try jolt(store)
    jolt.magnitude = ["richter": 4.0, "kind": "mw"]
    try context.save()
    jolt.setValue(5.0, forKeyPath: "magnitude.richter")
    #expect(jolt.changedValues() as NSDictionary == ["magnitude": ["richter": 5.0, "kind": "mw"]])
    #expect(
      jolt.committedValues(forKeys: ["magnitude", "code"]) as NSDictionary
        == ["magnitude": ["richter": 4.0, "kind": "mw"], "code": NSNull()])
    #expect(jolt.changedValuesForCurrentEvent() as NSDictionary == ["magnitude": ["richter": 4.0, "kind": "mw"]])
    jolt.magnitude = nil
    #expect(jolt.changedValues() as NSDictionary == ["magnitude": NSNull()])
    context.refresh(jolt, mergeChanges: false)
    #expect(jolt.part("magnitude.richter") == 4 as NSNumber && !jolt.hasChanges)
  }

  @Test(arguments: Store.allCases)
  func `changes are undone and merged by element`(_ store: Store) throws {
    let container = try store.people(Jolts.model)
    let context = container.viewContext
    context.undoManager = UndoManager()
    context.undoManager?.groupsByEvent = false
    let jolt = try #require(context.insert("Jolt", ["magnitude": ["richter": 4.0]]) as? Jolt)
    try context.save()
    context.undoManager?.beginUndoGrouping()
    jolt.magnitude = ["richter": 5.0, "felt": ["by": 1]]
    context.processPendingChanges()
    context.undoManager?.endUndoGrouping()
    context.undoManager?.undo()
    #expect(jolt.magnitude as NSDictionary? == ["richter": 4.0])
    context.undoManager?.redo()
    #expect(jolt.part("magnitude.felt.by") == 1 as NSNumber)
    try context.save()

    let other = container.newBackgroundContext()
    let id = jolt.objectID
    jolt.setValue("mb", forKeyPath: "magnitude.kind")
    try other.performAndWait {
      other.object(with: id).setValue(6.5, forKeyPath: "magnitude.richter")
      try other.save()
    }
    context.refresh(jolt, mergeChanges: true)
    #expect(jolt.part("magnitude.richter") == 6.5 as NSNumber && jolt.part("magnitude.kind") as? String == "mb")
  }

  @Test(arguments: Store.allCases)
  func `child contexts fetch and save elements`(_ store: Store) throws {
    let (jolt, context) = try jolt(store)
    jolt.magnitude = ["richter": 4.0]
    try context.save()
    let child = context.child()
    let same = child.object(with: jolt.objectID)
    same.setValue(4.5, forKeyPath: "magnitude.richter")
    #expect(try child.fetch("Jolt", "magnitude.richter > 4.2") == [same])
    try child.save()
    #expect(jolt.part("magnitude.richter") == 4.5 as NSNumber)
  }
}
