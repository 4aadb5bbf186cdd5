import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

@MainActor @Suite struct ObjectLifecycleTests {
  private func reader(of container: NSPersistentContainer) -> NSManagedObjectContext {
    let context = container.persistentStoreCoordinator.context()
    context.startLog()
    return context
  }

  // MARK: Hooks

  @Test(arguments: Store.every)
  func `objects receive their life cycle calls`(_ store: Store) throws {
    let container = try store.people()
    let context = container.viewContext
    context.startLog()
    let person = context.insert("Person", ["name": "Ada"])
    #expect(context.takeLog() == ["Person awakeFromInsert"])
    try context.save()
    #expect(context.takeLog() == ["Person willSave", "Person didSave"])
    context.refresh(person, mergeChanges: true)
    #expect(context.takeLog() == ["Person willTurnIntoFault false", "Person didTurnIntoFault true"])
    person.setValue("Eve", forKey: "name")
    #expect(context.takeLog() == ["Person awakeFromFetch"])
    context.refresh(person, mergeChanges: true)
    #expect(context.takeLog() == ["Person awake 32"])
    context.rollback()
    #expect(context.takeLog() == ["Person awake 16"] && person.value(forKey: "name") as? String == "Ada")
    context.refresh(person, mergeChanges: false)
    #expect(context.takeLog() == ["Person willTurnIntoFault false", "Person didTurnIntoFault true"])
    _ = person.value(forKey: "name")
    _ = person.value(forKey: "name")
    #expect(context.takeLog() == ["Person awakeFromFetch"])
    context.delete(person)
    context.delete(person)
    #expect(context.takeLog() == ["Person prepareForDeletion 0", "Person prepareForDeletion 0"])
    try context.save()
    #expect(context.takeLog().first == "Person willSave")
  }

  @Test(arguments: Store.every)
  func `awakeFromFetch leaves the object unchanged`(_ store: Store) throws {
    let container = try store.people()
    _ = container.viewContext.insert("Person", ["name": "Ada"])
    try container.viewContext.save()
    let context = reader(of: container)
    let person = try #require(try context.fetch("Person").first)
    #expect(context.takeLog().isEmpty)
    #expect(person.value(forKey: "nick") as? String == "awake")
    #expect(!person.hasChanges && !context.hasChanges && person.changedValues().isEmpty)
    #expect(try context.fetch("Person").count == 1)
    #expect(context.takeLog() == ["Person awakeFromFetch"])
  }

  @Test(arguments: Store.every)
  func `prepareForDeletion is called while relationships are intact`(_ store: Store) throws {
    let context = try store.people().viewContext
    let ada = context.insert("Person")
    let pet = context.insert("Pet", ["owner": ada])
    try context.save()
    context.startLog()
    context.delete(ada)
    context.delete(pet)
    #expect(context.takeLog() == ["Person prepareForDeletion 1", "Pet prepareForDeletion 1"])
  }

  @Test(arguments: Store.every)
  func `awakeFromInsert is called once in nested contexts`(_ store: Store) throws {
    let parent = try store.people().viewContext
    parent.startLog()
    let child = parent.child()
    child.startLog()
    _ = child.insert("Person", ["name": "Ada"])
    try child.save()
    #expect(child.takeLog() == ["Person awakeFromInsert", "Person willSave", "Person didSave"])
    #expect(!parent.takeLog().contains("Person awakeFromInsert") && parent.insertedObjects.count == 1)
    let other = parent.child()
    other.startLog()
    #expect(try other.fetch("Person").first?.value(forKey: "name") as? String == "Ada")
    #expect(other.takeLog() == ["Person awakeFromFetch"])
  }

  // MARK: Changes

  @Test(arguments: Store.every)
  func `setting an equal or transient value changes no persistent value`(_ store: Store) throws {
    let context = try store.people().viewContext
    let person = context.insert("Person", ["name": "Ada"])
    #expect(person.hasPersistentChangedValues && person.committedValues(forKeys: nil).isEmpty)
    #expect(person.changedValues()["name"] as? String == "Ada" && person.changedValues()["age"] as? Int == 7)
    try context.save()
    #expect(!person.hasPersistentChangedValues && person.changedValues().isEmpty)
    person.setValue("Ada", forKey: "name")
    #expect(person.hasChanges && context.hasChanges && context.updatedObjects == [person])
    #expect(!person.hasPersistentChangedValues && person.changedValues().isEmpty)
    person.setValue("nick", forKey: "nick")
    person.setValue([1], forKey: "cache")
    #expect(!person.hasPersistentChangedValues && person.changedValues().isEmpty)
    try context.save()
    #expect(!person.hasChanges && person.value(forKey: "nick") as? String == "nick")
    #expect(person.value(forKey: "cache") as? [Int] == [1])
  }

  @Test(arguments: Store.every)
  func `adding and removing a member is not a change`(_ store: Store) throws {
    let context = try store.people().viewContext
    let ada = context.insert("Person")
    let (rex, tom) = (context.insert("Pet", ["owner": ada]), context.insert("Pet"))
    try context.save()
    ada.setValue(NSSet(array: [rex]), forKey: "pets")
    ada.setValue(NSSet(array: [rex, tom]), forKey: "pets")
    #expect(ada.hasPersistentChangedValues && (ada.changedValues()["pets"] as? NSSet)?.count == 2)
    ada.setValue(NSSet(array: [rex]), forKey: "pets")
    #expect(ada.hasChanges && !ada.hasPersistentChangedValues && ada.changedValues().isEmpty)
    try context.save()
  }

  @Test(arguments: Store.every)
  func `changedValues returns new values, and committedValues returns old ones`(_ store: Store) throws {
    let context = try store.people().viewContext
    let (ada, eve) = (context.insert("Person", ["name": "Ada"]), context.insert("Person", ["name": "Eve"]))
    let pet = context.insert("Pet", ["name": "Rex", "owner": ada])
    try context.save()
    pet.setValue(nil, forKey: "name")
    pet.setValue(eve, forKey: "owner")
    let changed = pet.changedValues()
    #expect(changed.count == 2 && changed["name"] is NSNull && changed["owner"] as? NSManagedObject === eve)
    let committed = pet.committedValues(forKeys: nil)
    #expect(committed["name"] as? String == "Rex" && committed["owner"] as? NSManagedObject === ada)
    #expect((ada.changedValues()["pets"] as? NSSet)?.count == 0)
    #expect(ada.committedValues(forKeys: ["pets"])["pets"] as? Set<NSManagedObject> == [pet])
    #expect(eve.changedValues()["pets"] as? Set<NSManagedObject> == [pet])
    #expect(eve.committedValues(forKeys: ["pets", "age"]).count == 2)
    #expect(ada.committedValues(forKeys: ["nick"]).isEmpty)
    let fetchedEve = try #require(try context.fetch("Person", "name == 'Eve'").first)
    try context.save()
    context.refresh(fetchedEve, mergeChanges: false)
    #expect(Set(fetchedEve.committedValues(forKeys: nil).keys) == ["name", "age"])
    #expect(fetchedEve.hasFault(forRelationshipNamed: "pets"))
  }

  @Test(arguments: Store.every)
  func `changedValuesForCurrentEvent returns old values`(_ store: Store) throws {
    let context = try store.people().viewContext
    let ada = context.insert("Person", ["name": "a"])
    #expect(ada.changedValuesForCurrentEvent()["name"] is NSNull)
    context.processPendingChanges()
    #expect(ada.changedValuesForCurrentEvent().isEmpty)
    ada.setValue("b", forKey: "name")
    #expect(ada.changedValuesForCurrentEvent() as? [String: String] == ["name": "a"])
    try context.save()
    #expect(ada.changedValuesForCurrentEvent().isEmpty)
    ada.setValue("c", forKey: "name")
    ada.setValue("d", forKey: "name")
    #expect(ada.changedValuesForCurrentEvent() as? [String: String] == ["name": "b"])
    context.processPendingChanges()
    ada.setValue(8, forKey: "age")
    let pet = context.insert("Pet", ["owner": ada])
    let old = ada.changedValuesForCurrentEvent()
    #expect(Set(old.keys) == ["age", "pets"] && old["age"] as? Int == 7 && (old["pets"] as? NSSet)?.count == 0)
    context.processPendingChanges()
    pet.setValue(nil, forKey: "owner")
    #expect(ada.changedValuesForCurrentEvent()["pets"] as? Set<NSManagedObject> == [pet])
    #expect(ada.changedValues()["name"] as? String == "d")
  }

  // MARK: Accessors

  @Test(arguments: Store.every)
  func `primitive setters record no change and set no inverse`(_ store: Store) throws {
    let context = try store.people().viewContext
    let ada = context.insert("Person", ["name": "Ada"])
    let pet = context.insert("Pet")
    try context.save()
    ada.setPrimitiveValue("Eve", forKey: "name")
    pet.setPrimitiveValue(ada, forKey: "owner")
    #expect(!ada.hasChanges && !pet.hasChanges && !context.hasChanges)
    #expect(ada.primitiveValue(forKey: "name") as? String == "Eve" && ada.value(forKey: "name") as? String == "Eve")
    #expect(pet.value(forKey: "owner") as? NSManagedObject === ada)
    #expect((ada.value(forKey: "pets") as? NSSet)?.count == 0)
    context.refresh(ada, mergeChanges: false)
    #expect(ada.isFault)
    #expect(ada.primitiveValue(forKey: "name") as? String == "Ada" && !ada.isFault)
  }

  @Test(arguments: Store.every)
  func `custom accessors change the object and its inverses`(_ store: Store) throws {
    let context = try store.people().viewContext
    let ada = try #require(context.insert("Person", ["name": "Ada"]) as? Person)
    let eve = try #require(context.insert("Person") as? Person)
    let (rex, tom) = (context.insert("Pet"), context.insert("Pet", ["owner": eve]))
    try context.save()
    context.refresh(ada, mergeChanges: false)
    #expect(ada.customName == "Ada" && !ada.isFault && !ada.hasChanges)
    ada.customName = "Bea"
    #expect(ada.hasChanges && ada.changedValues() as? [String: String] == ["name": "Bea"])
    ada.addPet(rex)
    ada.addPet(tom)
    #expect(rex.value(forKey: "owner") as? Person === ada && tom.value(forKey: "owner") as? Person === ada)
    #expect(ada.value(forKey: "pets") as? Set<NSManagedObject> == [rex, tom])
    #expect((eve.value(forKey: "pets") as? NSSet)?.count == 0)
    ada.change(.minus, [rex])
    #expect(rex.value(forKey: "owner") == nil)
    eve.change(.set, [rex, tom])
    #expect(rex.value(forKey: "owner") as? Person === eve && (ada.value(forKey: "pets") as? NSSet)?.count == 0)
    eve.change(.intersect, [tom])
    #expect(rex.value(forKey: "owner") == nil && tom.value(forKey: "owner") as? Person === eve)
    tom.willChangeValue(forKey: "owner")
    tom.setPrimitiveValue(ada, forKey: "owner")
    tom.didChangeValue(forKey: "owner")
    #expect(ada.value(forKey: "pets") as? Set<NSManagedObject> == [tom])
    #expect((eve.value(forKey: "pets") as? NSSet)?.count == 0)
    try context.save()
    context.reset()
    let saved = try #require(try context.fetch("Person", "name == 'Bea'").first)
    #expect((saved.value(forKey: "pets") as? NSSet)?.count == 1)
  }

  @Test(arguments: Store.every)
  func `changes of unmodeled properties count if the class requests it`(_ store: Store) throws {
    let context = try store.people().viewContext
    let (person, employee) = (context.insert("Person"), context.insert("Employee"))
    try context.save()
    for object in [person, employee] {
      object.willChangeValue(forKey: "mood")
      object.didChangeValue(forKey: "mood")
    }
    #expect(!person.hasChanges && employee.hasChanges && !employee.hasPersistentChangedValues)
    try context.save()
  }

  @Test(arguments: Store.every)
  func `keys and key paths read and set values`(_ store: Store) throws {
    let context = try store.people().viewContext
    let ada = context.insert("Person", ["name": "Ada"])
    let (rex, tom) = (context.insert("Pet", ["name": "Rex", "owner": ada]), context.insert("Pet", ["owner": ada]))
    ada["age"] = 30
    #expect(ada["age"] as? Int == 30 && ada["nick"] == nil)
    #expect(rex.value(forKeyPath: "owner.name") as? String == "Ada")
    let names: Any? = ada.value(forKeyPath: "pets.name")
    #expect(names as? Set<String> == ["Rex"])
    let count: Any? = ada.value(forKeyPath: "pets.@count")
    #expect(count as? Int == 2)
    for (path, value) in [("@sum", 60.0), ("@avg", 30), ("@min", 30), ("@max", 30)] {
      let found: Any? = ada.value(forKeyPath: "pets.\(path).owner.age")
      #expect(found as? Double == value)
    }
    let owners: Any? = ada.value(forKeyPath: "pets.@distinctUnionOfObjects.owner.age")
    #expect(owners as? [Int] == [30])
    rex.setValue("Bea", forKeyPath: "owner.name")
    ada.setValue("Max", forKeyPath: "pets.name")
    #expect(ada["name"] as? String == "Bea" && tom["name"] as? String == "Max")
    rex["owner"] = nil
    let nothing: Any? = rex.value(forKeyPath: "owner.name")
    rex.setValue("x", forKeyPath: "owner.name")
    #expect(nothing == nil && ada["name"] as? String == "Bea")
    ada.setValuesForKeys(["name": NSNull(), "age": 31])
    let values = ada.dictionaryWithValues(forKeys: ["name", "age"])
    #expect(values["name"] is NSNull && values["age"] as? Int == 31 && values.count == 2)
    #expect(ada.value(forKey: "objectID") as? NSManagedObjectID == ada.objectID)
  }

  @Test func `an unknown key stops the program`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run { _ = try Store.memory.people().viewContext.insert("Person")["mood"] }
    }
    #expect(result.errorText.contains("the entity Person is not key value coding-compliant for the key \"mood\"."))
  }

  @Test(arguments: Store.every)
  func `a class has its own fetch request`(_ store: Store) throws {
    let context = try store.people().viewContext
    _ = context.insert("Employee", ["name": "Ada"])
    let request = Careful.fetchRequest()
    #expect(request.entityName == "Employee")
    let found = try context.fetch(request)
    #expect(found.first is Careful && found.count == 1)
  }
}
