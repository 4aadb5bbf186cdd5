import CoreData
import Testing
import TwoStores

@MainActor
struct TwoStoresTests {
  private let folder: TemporaryFolder
  private var guide: URL { folder.url.appendingPathComponent("Guide.sqlite") }
  private var journal: URL { folder.url.appendingPathComponent("Journal.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try FieldGuideContainer.makeGuide(at: guide, names: ["wren": "Wren", "rook": "Rook"])
  }

  private func species(_ code: String, in context: NSManagedObjectContext) throws -> Species {
    let request = Species.fetchRequest()
    request.predicate = NSPredicate(format: "code == %@", code)
    return try #require(try context.fetch(request).first)
  }

  private func see(_ code: String, in context: NSManagedObjectContext) throws -> Sighting {
    let sighting = Sighting(context: context)
    sighting.date = Date()
    sighting.species = try species(code, in: context)
    return sighting
  }

  @Test func `each entity is saved in its store`() throws {
    let container = try FieldGuideContainer.open(guide: guide, journal: journal)
    let sighting = try see("wren", in: container.viewContext)
    try container.viewContext.save()
    #expect(sighting.objectID.persistentStore?.url?.lastPathComponent == "Journal.sqlite")
    #expect(sighting.species?.objectID.persistentStore?.url?.lastPathComponent == "Guide.sqlite")
    #expect(sighting.speciesCode == "wren")
  }

  @Test func `both sides of the transient relationship are maintained`() throws {
    let context = try FieldGuideContainer.open(guide: guide, journal: journal).viewContext
    let (wren, rook) = (try species("wren", in: context), try species("rook", in: context))
    let sighting = try see("wren", in: context)
    try context.save()
    #expect(sighting.species == wren && wren.newSightings == [sighting])
    sighting.species = rook
    #expect(wren.newSightings == [] && rook.newSightings == [sighting])
    try context.save()
    #expect(rook.newSightings == [sighting])
  }

  @Test func `a relationship connects objects in two stores`() throws {
    let first = try FieldGuideContainer.open(guide: guide, journal: journal).viewContext
    _ = try see("rook", in: first)
    try first.save()

    let context = try FieldGuideContainer.open(guide: guide, journal: journal).viewContext
    let sighting = try #require(try context.fetch(Sighting.fetchRequest()).first)
    #expect(sighting.species?.name == "Rook")
    // The fetched property is the inverse.
    #expect(try species("rook", in: context).sightings == [sighting])
    #expect(try species("wren", in: context).sightings == [])
  }

  @Test func `a fetched property is fetched again after a refresh`() throws {
    let context = try FieldGuideContainer.open(guide: guide, journal: nil).viewContext
    let wren = try species("wren", in: context)
    #expect(wren.sightings.isEmpty)
    let sighting = try see("wren", in: context)
    try context.save()
    #expect(wren.sightings.isEmpty)
    context.refresh(wren, mergeChanges: true)
    #expect(wren.sightings == [sighting])
  }

  @Test func `the journal works with the next edition of the guide`() throws {
    let first = try FieldGuideContainer.open(guide: guide, journal: journal).viewContext
    _ = try see("wren", in: first)
    try first.save()
    let next = folder.url.appendingPathComponent("Guide 2.sqlite")
    try FieldGuideContainer.makeGuide(at: next, names: ["wren": "Eurasian wren", "kite": "Red kite"])
    let context = try FieldGuideContainer.open(guide: next, journal: journal).viewContext
    #expect(try context.fetch(Sighting.fetchRequest()).map(\.species?.name) == ["Eurasian wren"])
  }

  @Test func `the guide cannot be changed`() throws {
    let context = try FieldGuideContainer.open(guide: guide, journal: nil).viewContext
    try species("wren", in: context).name = "Jenny"
    #expect(throws: CocoaError.self) { try context.save() }
    context.rollback()
    _ = try see("wren", in: context)
    try context.save()
    #expect(try species("wren", in: context).name == "Wren")
  }
}
