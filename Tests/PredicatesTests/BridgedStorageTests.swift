import Foundation
import StrataPredicates
import Testing

/// Objects are made as objects of another class only where both have the same storage.
@Suite struct BridgedStorageTests {
  private final class Larger: NSObject {
    final var contents: AnyObject?
    final var more = 0
  }

  private final class Known: NSObject { final var contents: AnyObject? }

  @Test func aClassOfTheSameStorageIsTaken() {
    BridgedStorage.require(TreeExpression.self, asLargeAs: Known.self)
  }

  @Test func aClassThatFoundationGaveOtherStorageStopsTheProgramBeforeItIsUsed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      BridgedStorage.require(Larger.self, asLargeAs: Known.self)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Larger has 32 bytes with this Foundation, and 24 with the one"))
  }
}
