import ArgumentParser
import Testing

@testable import StrataQuakesCommand

@Suite struct FilterOptionsTests {
  @Test(arguments: [
    ("feltreports>=1", "--where: no field is named \"feltreports\"; did you mean felt_reports?"),
    ("zzzz=1", "--where: no field is named \"zzzz\"; quakes list --json shows all"),
    ("felt>=x", "--where must be limits such as horizontal_error<=2,location_source=ci, not \"felt>=x\"."),
  ])
  func `an error of a limit names the field that does not exist`(_ limit: String, _ message: String) {
    let error = #expect(throws: (any Error).self) { try FilterOptions.parse(["--where", limit]) }
    #expect(error.map { FilterOptions.message(for: $0) } == message)
  }
}
