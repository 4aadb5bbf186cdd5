import ArgumentParser
import StrataQuakes
import StrataQuakesConfig
import Testing

@testable import StrataQuakesCommand

/// Which columns the options and the settings choose.
@Suite struct ColumnTests {
  private func choice(_ options: [String], columns: String? = nil) throws -> ColumnChoice {
    let settings = Settings(of: SettingsFile(option: "/dev/null"))
    return try OutputOptions.parse(options).columns(columns.map(ColumnOption.columns), settings)
  }

  private func names(_ choice: ColumnChoice) -> [String]? {
    if case .named(let columns) = choice { columns.map(\.name) } else { nil }
  }

  @Test(arguments: [["--utc"], ["--local"], ["--zone", "Asia/Tokyo"], ["--12h"], ["--24h"]])
  func `an option for times shows the clock time`(options: [String]) throws {
    guard case .usual(hasClock: true) = try choice(options) else { return #expect(Bool(false), "\(options)") }
    #expect(try names(choice(options, columns: "mag,when")) == ["magnitude", "when"])
  }

  @Test func `other options show the age`() throws {
    for options in [[], ["--units", "mi"]] {
      guard case .usual(hasClock: false) = try choice(options) else { return #expect(Bool(false), "\(options)") }
    }
  }

  @Test func `a column and a field that are named twice are there once`() throws {
    #expect(try names(choice([], columns: "mag,id,magnitude,mag,age,when")) == ["magnitude", "id", "when"])
    #expect(try ListingOptions.fields("id,mag, id,magnitude").map(\.name) == ["id", "magnitude"])
  }

  @Test func `columns are found by their other names, with blanks around them`() throws {
    #expect(try names(choice([], columns: "mag, age ,city")) == ["magnitude", "when", "nearest_city"])
    for text in ["", "mag,", "mag;time"] { #expect(throws: ValidationError.self) { try ColumnOption.columns(text) } }
  }
}
