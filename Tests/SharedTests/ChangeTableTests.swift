import Foundation
import Testing

@testable import StrataQuakes

/// The table of changes on terminals of any width.
@Suite struct ChangeTableTests {
  private static let time = Date(timeIntervalSince1970: 1_795_219_200)

  private func change(_ id: String, magnitude: Double = 5) -> QuakeChange {
    var states = [QuakeState(), QuakeState()]
    for index in states.indices {
      states[index][.identifier] = .text(id)
      states[index][.place] = .text("South of the Fiji Islands")
      states[index][.magnitude] = .number(magnitude + Double(index))
    }
    let records = states.map { RecordedState(said: Self.time, learnt: Self.time, state: $0) }
    return QuakeChange(records[1], after: records[0])
  }

  private func table(_ columns: Int?, _ names: String = "id", clock: DisplayStyle.Clock = .hours24) -> ChangeTable {
    var table = ChangeTable(
      terminal: Terminal(columns: columns), style: DisplayStyle(zone: .universal, clock: clock))
    (table.now, table.columns) = (Self.time, names.split(separator: ",").compactMap { QuakeColumn.named(String($0)) })
    return table
  }

  private func lines(_ columns: Int?, _ names: String = "id", clock: DisplayStyle.Clock = .hours24) -> [String] {
    table(columns, names, clock: clock).lines([change("us7000abcd")]).map(\.text)
  }

  @Test func `the columns are complete where there is room`() {
    let expected = [
      "SAID                     KIND       ID          WHAT",
      "2026-11-21 00:00:00 UTC  silent     us7000abcd  magnitude 5 → 6",
    ]
    for columns in [nil, 80, 68] { #expect(lines(columns) == expected) }
  }

  @Test func `the time is shortened, then columns are removed, and the change stays`() {
    #expect(
      lines(67) == ["SAID         KIND       ID          WHAT", "11-21 00:00  silent     us7000abcd  magnitude 5 → 6"])
    #expect(lines(56).map(\.count) == [40, 51])
    #expect(lines(55) == ["SAID         KIND       WHAT", "11-21 00:00  silent     magnitude 5 → 6"])
    #expect(lines(40) == ["SAID         KIND       WHAT", "11-21 00:00  silent     magnitude 5 → 6"])
    #expect(
      lines(40, clock: .hours12) == ["SAID            KIND       WHAT", "11-21 12:00 am  silent     magnitude 5 …"])
    #expect(
      lines(80, "id,mag,place,region,url") == [
        "SAID         KIND        MAG  PLACE                     WHAT",
        "11-21 00:00  silent      6.0  South of the Fiji Islan…  magnitude 5 → 6",
      ])
  }

  @Test(arguments: [40, 60, 80, 100]) func `lines fit the terminal`(columns: Int) {
    for names in ["id", "id,mag,place", "place,region,city,url,title", "time,when,id"] {
      for line in lines(columns, names, clock: .hours12) { #expect(DisplayWidth.columns(line) <= columns, "\(line)") }
    }
  }

  @Test func `a part of the table that needs more room has a heading of its own`() {
    let table = table(56)
    var widths = ChangeTable.Widths()
    func texts(_ id: String, hasHeading: Bool = false) -> [String] {
      let change = change(id)
      return table.lines([change], quakes: [change.after.facts], hasHeading: hasHeading, widths: &widths).map(\.text)
    }
    #expect(texts("us7000abcd", hasHeading: true).count == 2)
    #expect(texts("us7000abce") == ["11-21 00:00  silent     us7000abce  magnitude 5 → 6"])
    #expect(
      texts("us7000abcd-longer") == ["SAID         KIND       WHAT", "11-21 00:00  silent     magnitude 5 → 6"])
    #expect(texts("us7000abcf") == ["11-21 00:00  silent     magnitude 5 → 6"])
  }
}
