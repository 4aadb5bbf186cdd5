import CoreData
import Portable
import Testing

@MainActor
struct PortableTests {
  private let folder: TemporaryFolder
  private let garden: Garden
  private var context: NSManagedObjectContext { garden.container.viewContext }

  init() throws {
    folder = try TemporaryFolder()
    garden = try Garden(storeURL: folder.url.appendingPathComponent("Garden.sqlite"))
  }

  private func plant(_ name: String, height: Double = 0) -> Plant {
    let plant = Plant(context: context)
    (plant.name, plant.height) = (name, height)
    return plant
  }

  @Test func `generated accessors update both sides`() throws {
    let bed = Bed(context: context)
    bed.name = "South"
    let (rose, mint) = (plant("Rose"), plant("Mint"))
    bed.addToPlants(rose)
    bed.addToPlants(NSSet(array: [rose, mint]))
    #expect(bed.plants?.count == 2 && mint.bed == bed)
    bed.removeFromPlants(rose)
    try context.save()
    #expect(bed.plants == NSSet(object: mint) && rose.bed == nil)
  }

  @Test func `a computed property is a key`() throws {
    let rose = plant("rose")
    #expect(rose.value(forKey: "initial") as? String == "R")
    var seen: [String] = []
    let observation = rose.observe(\.initial) { plant, _ in seen.append(plant.initial) }
    rose.name = "tulip"
    observation.invalidate()
    #expect(seen == ["T"])
  }

  @Test func `an empty name is not saved`() throws {
    _ = plant("")
    let error = #expect(throws: CocoaError.self) { try context.save() }
    #expect(error?.code == .validationStringTooShort)
  }

  @Test func `the tallest plant of each name is found`() throws {
    for (name, height) in [("Rose", 1.5), ("Rose", 2), ("Mint", 0.4)] { _ = plant(name, height: height) }
    try context.save()
    #expect(try garden.tallest() == ["Rose": 2, "Mint": 0.4])
  }

  @Test func `plants are sown and cleared`() throws {
    let rose = plant("Rose")
    try context.save()
    try garden.sow(250, of: "Cress")
    #expect(try context.count(for: Plant.fetchRequest()) == 251)
    try garden.clear()
    #expect(try context.count(for: Plant.fetchRequest()) == 0)
    #expect(rose.isDeleted || rose.managedObjectContext == nil)
  }

  @Test func `saves are counted`() throws {
    let counter = SaveCounter(context: context)
    for name in ["Rose", "Mint"] {
      _ = plant(name)
      try context.save()
    }
    #expect(counter.saves == 2)
  }

  @Test func `a label follows the name`() throws {
    let rose = plant("Rose")
    let label = PlantLabel(for: rose)
    #expect(label.text == "Rose")
    rose.name = "Tulip"
    #expect(label.text == "Tulip")
    rose.name = nil
    #expect(label.text == "unnamed")
  }

  @Test func `changes call the closure`() async throws {
    var calls = 0
    let changes = GardenChanges(in: context) { calls += 1 }
    // The sequence begins when its task first runs.
    #expect(
      await eventually {
        _ = plant("Rose")
        context.processPendingChanges()
        return calls > 0
      })
    withExtendedLifetime(changes) {}
  }
}
