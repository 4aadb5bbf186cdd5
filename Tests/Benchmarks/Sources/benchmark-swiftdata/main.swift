import BenchmarkData
import BenchmarkEvents
import CoreData
import SwiftData

// benchmark-swiftdata prepare|empty STORE ROWS             creates the store that both APIs use
// benchmark-swiftdata WORKLOAD STORE ROWS coredata|swiftdata    runs one workload and prints its cost

let arguments = CommandLine.arguments
guard arguments.count >= 4, let rows = Int(arguments[3]) else {
  fatalError("Usage: benchmark-swiftdata WORKLOAD STORE ROWS [coredata|swiftdata]")
}
let store = URL(fileURLWithPath: arguments[2])
let stopwatch = Stopwatch()

func container() throws -> ModelContainer {
  try ModelContainer(for: Quake.self, configurations: ModelConfiguration(url: store))
}

/// Opens the store with the same model, of which Core Data's objects have a class of their own.
func coordinator() throws -> NSPersistentStoreCoordinator {
  _registerClasses { [_RegisteredClass(String(reflecting: ManagedQuake.self), ManagedQuake.self)] }
  let model = NSManagedObjectModel.makeManagedObjectModel(for: Quake.self)!  // it is merged with no other
  model.entitiesByName["Quake"]?.managedObjectClassName = NSStringFromClass(ManagedQuake.self)
  model.entitiesByName["Region"]?.managedObjectClassName = "NSManagedObject"
  let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
  try coordinator.addPersistentStore(
    ofType: NSSQLiteStoreType, configurationName: nil, at: store,
    options: [NSPersistentHistoryTrackingKey: true as NSNumber])
  return coordinator
}

func prepare(rows: Int) throws {
  let context = ModelContext(try container())
  let regions = (0..<BENCHMARK_REGIONS).map { Region(number: Int($0)) }
  for region in regions { context.insert(region) }
  for index in 0..<rows {
    let event = Event(index)
    let quake = Quake(event)
    quake.region = regions[event.region]
    context.insert(quake)
  }
  try context.save()
}

switch (arguments[1], arguments.last) {
case ("prepare", _): try prepare(rows: rows)
case ("empty", _): try prepare(rows: 0)
case (let work, "swiftdata"):
  let workloads = SwiftDataWorkloads(container: try container(), rows: rows, timed: stopwatch)
  let sum = try workloads.run(work)
  benchmark_report(work, stopwatch.times, sum)
case (let work, _):
  let workloads = CoreDataWorkloads(coordinator: try coordinator(), rows: rows, timed: stopwatch)
  let sum = try workloads.run(work)
  benchmark_report(work, stopwatch.times, sum)
}
