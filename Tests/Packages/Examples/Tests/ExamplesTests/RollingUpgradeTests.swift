import Foundation
import Testing

struct RollingUpgradeTests {
  @Test func `an old version ends when a new one has migrated the store`() async throws {
    let home = try TemporaryFolder()
    let old = try Program("visitors-1", home: home)
    #expect(await eventually { old.lines == ["Version 1: 1 visits"] })
    let new = try Program("visitors-2", home: home)
    #expect(await new.status() == 0)
    #expect(new.lines == ["Version 2: 2 visits"] && new.errorLines == [])
    #expect(await old.status() == 0)
    #expect(old.lines.last == "A newer version has migrated the store; this one ends.")

    let next = try Program("visitors-2", home: home)
    #expect(await next.status() == 0)
    #expect(next.lines == ["Version 2: 3 visits"])
  }
}
