import Foundation
import StrataManagedModel
import StrataMemoryStore
import StrataRowStore
import StrataStoreConformance
import Synchronization
import Testing

@Suite struct MemoryStoreTests {
  @Test(arguments: StoreConformance.checks)
  func `the memory store conforms to the back-end contract`(_ check: ConformanceCheck) throws {
    try check.run(MemoryStoreFactory())
  }

  private let model: NSManagedObjectModel = {
    let model = StoreConformance.freshModel()
    model.setEntities(
      [model.entitiesByName["Tag"], model.entitiesByName["Quake"]].compactMap { $0 }, forConfigurationName: "Few")
    model.freeze()
    return model
  }()

  private func insertion(_ entity: String) throws -> ChangeBatch {
    let layout = try #require(model.entitiesByName[entity]?.layout)
    let page = RowPage(layout: layout, capacity: 1)
    var batch = ChangeBatch()
    batch.inserted = [
      Row(page: page, index: page.append(id: .temporary(entity: layout.number), version: 0))
    ]
    return batch
  }

  @Test func `a store keeps the identifier that it is created with`() throws {
    let given = UUID().uuidString
    let store = try MemoryStore(model: model, configuration: nil, number: 1, identifier: given, keepsHistory: true)
    #expect(store.identifier == given)
    #expect(try store.metadata["NSStoreUUID"] as? String == given)
    #expect(try store.metadata["NSStoreType"] as? String == "InMemory")
    try store.setMetadata(["NSStoreUUID": "other", "NSStoreType": "other"])
    #expect(try store.metadata["NSStoreUUID"] as? String == given)
    #expect(try store.metadata["NSStoreType"] as? String == "InMemory")
  }

  @Test func `the metadata matches only the configuration of the store`() throws {
    let store = try MemoryStore(model: model, configuration: nil, number: 1, keepsHistory: true)
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: try store.metadata))
    #expect(!model.isConfiguration(withName: "Few", compatibleWithStoreMetadata: try store.metadata))
  }

  @Test func `an entity outside the configuration is refused`() throws {
    let store = try MemoryStore(model: model, configuration: "Few", number: 1, keepsHistory: true)
    #expect(try store.commit(insertion("Tag")).inserted.count == 1)
    let error = #expect(throws: StoreError.self) { try store.commit(insertion("Region")) }
    #expect(error?.code == .incompatibleModel)
    #expect(error?.message.contains("Region") == true)
    #expect(try store.newestTransaction() == 1)
  }

  @Test func `an unknown configuration is refused`() {
    let error = #expect(throws: StoreError.self) {
      try MemoryStore(model: model, configuration: "Many", number: 1, keepsHistory: true)
    }
    #expect(error?.code == .incompatibleModel)
    #expect(error?.message.contains("Many") == true)
  }

  @Test func `a reference to an object that is not inserted is refused`() throws {
    let store = try MemoryStore(model: model, configuration: nil, number: 1, keepsHistory: true)
    let region = try #require(model.entitiesByName["Region"]?.layout)
    let batch = try insertion("Quake")
    let slot = try #require(batch.inserted[0].layout.slot(named: "region"))
    batch.inserted[0].set(slot: slot, to: .reference(.temporary(entity: region.number)))
    #expect(throws: StoreError.self) { try store.commit(batch) }
    #expect(try store.newestTransaction() == 0)
  }
}

struct MemoryStoreFactory: StoreFactory {
  let isDurable = false

  func open(_ name: String, model: NSManagedObjectModel, number: Int, keepsHistory: Bool) throws -> any BackEnd {
    try MemoryStore(model: model, configuration: nil, number: number, keepsHistory: keepsHistory)
  }
}
