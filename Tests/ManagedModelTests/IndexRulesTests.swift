import Foundation
import StrataManagedModel
import StrataTestSupport
import Testing

/// An index is of one kind: in a B-tree or in an R-tree.
@Suite struct IndexRulesTests {
  private static func element(_ kind: NSFetchIndexElementType) -> NSFetchIndexElementDescription {
    NSFetchIndexElementDescription(property: attribute("a", .double), collationType: kind)
  }

  @Test(arguments: [NSFetchIndexElementType.binary, .rTree])
  func `elements of one collation type form an index`(_ kind: NSFetchIndexElementType) {
    let index = NSFetchIndexDescription(name: "i", elements: [Self.element(kind), Self.element(kind)])
    #expect(index.elements.map(\.collationType) == [kind, kind])
  }

  @Test func `mixed collation types stop the program`() async throws {
    let made = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSFetchIndexDescription(name: "i", elements: [Self.element(.binary), Self.element(.rTree)])
    }
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      NSFetchIndexDescription(name: "i", elements: nil).elements = [Self.element(.rTree), Self.element(.binary)]
    }
    let changed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let elements = [Self.element(.binary), Self.element(.binary)]
      let index = NSFetchIndexDescription(name: "i", elements: elements)
      elements[1].collationType = .rTree
      withExtendedLifetime(index) {}
    }
    for result in [made, set, changed] {
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("The elements of the index 'i' have different collation types"))
    }
  }
}
