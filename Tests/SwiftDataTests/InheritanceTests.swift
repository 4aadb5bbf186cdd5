import Foundation
import Observation
import StrataTestSupport
import SwiftData
import Synchronization
import Testing

/// Models whose superclass is a model: entities with a superentity, in one table.
@Suite struct InheritanceTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    container = try ModelContainer(
      for: Vehicle.self, Car.self, SportsCar.self, configurations: ModelConfiguration(url: folder.url("Vehicles.store"))
    )
    context = ModelContext(container)
    let garage = Garage(name: "North")
    let car = Car(plate: "B", doors: 4)
    car.garage = garage
    for vehicle in [Vehicle(plate: "A"), car, SportsCar(plate: "C", topSpeed: 300)] { context.insert(vehicle) }
    try context.save()
  }

  private func plates<T: Vehicle>(
    _: T.Type, _ predicate: Predicate<T>? = nil, _ order: SortDescriptor<T>
  ) throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor(predicate: predicate, sortBy: [order])).map(\.plate)
  }

  @Test func `a fetch of a class gives objects of its subclasses too`() throws {
    #expect(try plates(Vehicle.self, nil, SortDescriptor(\.plate)) == ["A", "B", "C"])
    #expect(try plates(Car.self, nil, SortDescriptor(\.plate, order: .reverse)) == ["C", "B"])
    #expect(try plates(SportsCar.self, nil, SortDescriptor(\.plate)) == ["C"])
    let vehicles = try ModelContext(container).fetch(FetchDescriptor(sortBy: [SortDescriptor(\Vehicle.plate)]))
    #expect(vehicles.map { "\(type(of: $0))" } == ["Vehicle", "Car", "SportsCar"])
    let sportsCar = try #require(vehicles[2] as? SportsCar)
    #expect(sportsCar.topSpeed == 300 && sportsCar.doors == 2 && sportsCar.wheels == 4)
    #expect(sportsCar.persistentModelID.entityName == "SportsCar")
  }

  @Test func `predicates and sorts use inherited properties`() throws {
    #expect(try plates(Car.self, #Predicate { $0.plate == "B" && $0.wheels == 4 }, SortDescriptor(\.doors)) == ["B"])
    #expect(
      try plates(SportsCar.self, #Predicate { $0.doors == 2 && $0.topSpeed > 200 }, SortDescriptor(\.wheels)) == ["C"])
    #expect(try plates(Car.self, #Predicate { $0.garage?.name == "North" }, SortDescriptor(\.plate)) == ["B"])
    let count = try context.fetchCount(FetchDescriptor<Car>(predicate: #Predicate { $0.wheels == 3 }))
    #expect(count == 0)
  }

  @Test func `predicates tell the classes of objects`() throws {
    #expect(try plates(Vehicle.self, #Predicate { $0 is Car }, SortDescriptor(\.plate)) == ["B", "C"])
    #expect(try plates(Vehicle.self, #Predicate { !($0 is SportsCar) }, SortDescriptor(\.plate)) == ["A", "B"])
    #expect(try plates(Car.self, #Predicate { $0 is SportsCar && $0.doors == 2 }, SortDescriptor(\.plate)) == ["C"])
  }

  @Test func `changes of inherited and own properties are observed and saved`() throws {
    let car = try #require(try context.fetch(FetchDescriptor<SportsCar>()).first)
    let changed = Mutex<[String]>([])
    withObservationTracking {
      _ = car.wheels
    } onChange: {
      changed.withLock { $0.append("wheels") }
    }
    withObservationTracking {
      _ = car.topSpeed
    } onChange: {
      changed.withLock { $0.append("topSpeed") }
    }
    withObservationTracking {
      _ = car.plate
    } onChange: {
      changed.withLock { $0.append("plate") }
    }
    car.wheels = 3
    car.topSpeed = 310
    car.doors = 3
    #expect(changed.withLock { $0 } == ["wheels", "topSpeed"])
    #expect(car.hasChanges && context.changedModelsArray.count == 1)
    try context.save()
    let saved = try #require(try ModelContext(container).fetch(FetchDescriptor<SportsCar>()).first)
    #expect(saved.wheels == 3 && saved.topSpeed == 310 && saved.doors == 3)
  }

  @Test func `relationships lead to objects of subclasses`() throws {
    let garage = try #require(try ModelContext(container).fetch(FetchDescriptor<Garage>()).first)
    let car = try #require(garage.vehicles.first as? Car)
    #expect(garage.vehicles.count == 1 && car.doors == 4 && car.garage === garage)
  }

  @Test func `a unique value of the superclass is unique among all subclasses' objects of the class`() throws {
    let car = Car(plate: "B", doors: 5)
    context.insert(car)
    try context.save()
    #expect(car.modelContext === context && car.doors == 5)
    #expect(try plates(Vehicle.self, nil, SortDescriptor(\.plate)) == ["A", "B", "C"])
  }

  @Test func `a subclass's object without a context keeps all values and can be inserted again`() throws {
    let car = SportsCar(plate: "D", topSpeed: 250)
    context.insert(car)
    context.rollback()
    #expect(car.plate == "D" && car.topSpeed == 250)
    context.insert(car)
    try context.save()
    #expect(try plates(SportsCar.self, nil, SortDescriptor(\.topSpeed)) == ["D", "C"])
  }

  @Test func `the model has superentities in one table`() throws {
    let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: Vehicle.self, Car.self, SportsCar.self))
    let car = try #require(model.entitiesByName["Car"])
    #expect(car.superentity?.name == "Vehicle" && car.subentities.map(\.name) == ["SportsCar"])
    #expect(Set(car.attributesByName.keys) == ["plate", "wheels", "doors"])
    for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let opened = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url("Vehicles.store"),
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    #expect(opened.type == NSSQLiteStoreType)
  }

  @Test func `a class whose subclass is not in the schema cannot be inserted as that`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let container = try ModelContainer(
        for: Vehicle.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
      ModelContext(container).insert(Car(plate: "A", doors: 2))
    }
    #expect(
      result.errorText.contains(
        "Car is not in the schema of the container") == true)
  }
}

@Model class Vehicle {
  @Attribute(.unique) var plate: String
  var wheels = 4
  var garage: Garage?

  init(plate: String) { self.plate = plate }
}

@Model class Car: Vehicle {
  var doors: Int

  init(plate: String, doors: Int) {
    self.doors = doors
    super.init(plate: plate)
  }
}

@Model final class SportsCar: Car {
  var topSpeed = 200

  init(plate: String, topSpeed: Int) {
    super.init(plate: plate, doors: 2)
    self.topSpeed = topSpeed
  }
}

@Model final class Garage {
  var name: String
  var vehicles: [Vehicle] = []

  init(name: String) { self.name = name }
}
