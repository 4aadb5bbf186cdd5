import CoreData
import Foundation
import Testing

@testable import StrataQuakes

/// The table of the fields of an earthquake.
@Suite struct StoredFieldTests {
  @Test func `every field is described once`() {
    #expect(StoredField.all.map(\.field) == QuakeField.allCases)
    let names = StoredField.all.compactMap(\.outputName)
    #expect(Set(names).count == names.count)
    let usgs = StoredField.all.compactMap(\.usgs)
    #expect(Set(usgs.map(\.name)).count == usgs.count)
    let columns = usgs.compactMap(\.column)
    #expect(Set(columns).count == columns.count)
  }

  @Test func `a field reads and writes the attribute of its name`() throws {
    let container = QuakesContainer(name: StoreLocation.storeName)
    try container.addSession()
    let context = container.newBackgroundContext()
    context.performAndWait {
      let quake = Quake(context: context)
      for stored in StoredField.all {
        let value: QuakeState.Value =
          switch stored.kind {
          case .number, .integer: .number(2)
          case .text, .list: .text("a")
          case .date: .date(Date(timeIntervalSinceReferenceDate: 5))
          }
        stored.attribute.set(value, of: quake)
        #expect(stored.attribute.value(of: quake) == value, "\(stored.field)")
        let object = quake.value(forKey: stored.field.name)
        switch value {
        case .number(let number): #expect((object as? NSNumber)?.doubleValue == number, "\(stored.field)")
        case .text(let text): #expect(object as? String == text, "\(stored.field)")
        case .date(let date): #expect(object as? Date == date, "\(stored.field)")
        }
        stored.attribute.set(nil, of: quake)
        #expect(stored.attribute.value(of: quake) ?? .number(0) == .number(0), "\(stored.field)")
      }
    }
  }

  @Test func `a field is found by its name with and without the unit`() {
    #expect(FactField.named("depth")?.name == "depth_km")
    #expect(FactField.named("gap_degrees")?.name == "gap_degrees")
    #expect(FactField.named("peak_velocity")?.name == "peak_velocity_cm_s")
    #expect(FactField.named("types")?.name == "products")
    #expect(FactField.named("km") == nil)
  }
}
