import Testing

@testable import StrataQuakes

/// Felt reports and computed shaking as text, and the pages of the USGS about them.
@Suite struct QuakeProductTests {
  private func quake(url: String?, types: String? = ",dyfi,origin,shakemap,losspager,moment-tensor,") -> QuakeFacts {
    var quake = QuakeFacts()
    quake.url = url
    quake[.types] = types.map { .text($0) }
    return quake
  }

  @Test func `a product that exists has a page`() {
    let quake = self.quake(url: "https://earthquake.usgs.gov/earthquakes/eventpage/us7000abcd")
    let base = "https://earthquake.usgs.gov/earthquakes/eventpage/us7000abcd/"
    #expect(quake.page(of: .feltReports) == base + "dyfi/intensity")
    #expect(quake.page(of: .shakeMap) == base + "shakemap/intensity")
    #expect(quake.page(of: .lossEstimate) == base + "pager")
    #expect(quake.page(of: .momentTensor) == base + "moment-tensor")
    #expect(quake.page(of: .finiteFault) == nil && quake.page(of: .groundFailure) == nil)
  }

  @Test(arguments: [
    "http://earthquake.usgs.gov/earthquakes/eventpage/us1", "HTTPS://earthquake.usgs.gov/earthquakes/eventpage/us1/x",
    "https://earthquake.usgs.gov/earthquakes/eventpage/us1?a=b",
    "https://earthquake.usgs.gov/earthquakes/eventpage/us1#x",
  ])
  func `a page follows from the address of the event`(_ url: String) {
    #expect(
      quake(url: url).page(of: .lossEstimate) == "https://earthquake.usgs.gov/earthquakes/eventpage/us1/pager")
  }

  @Test(arguments: [
    nil, "", "https://www.emsc-csem.org/Earthquake/earthquake.php?id=1",
    "https://earthquake.usgs.gov/earthquakes/eventpage/",
    "https://example.org/?x=https://earthquake.usgs.gov/earthquakes/eventpage/us1",
    "javascript://earthquake.usgs.gov/earthquakes/eventpage/us1",
  ])
  func `an event of another service does not have pages of the USGS`(_ url: String?) {
    #expect(QuakeProduct.allCases.allSatisfy { quake(url: url).page(of: $0) == nil })
  }

  @Test func `an event without products does not have their pages`() {
    let quake = self.quake(url: "https://earthquake.usgs.gov/earthquakes/eventpage/us1", types: nil)
    #expect(QuakeProduct.allCases.allSatisfy { quake.page(of: $0) == nil })
  }

  @Test(arguments: [
    (0, "MMI I (0.0)"), (1, "MMI I (1.0)"), (3.49, "MMI III (3.5)"), (6.2, "MMI VI (6.2)"), (6.5, "MMI VII (6.5)"),
    (8.794, "MMI IX (8.8)"), (12.4, "MMI XII (12.4)"), (12.5, "MMI 12.5"), (-1, "MMI -1.0"), (1e300, "MMI 1e+300"),
  ])
  func `an intensity has the nearest numeral`(_ intensity: Double, _ text: String) {
    #expect(IntensityText.of(intensity) == text)
  }

  @Test func `felt reports and shaking are one line each`() {
    var quake = QuakeFacts()
    #expect(quake.feltText == nil && quake.shakingText == nil)
    quake[.felt] = .number(1234)
    #expect(quake.feltText == "1,234 reports")
    quake[.cdi] = .number(6.2)
    #expect(quake.feltText == "1,234 reports, up to MMI VI (6.2)")
    quake[.felt] = .number(1)
    #expect(quake.feltText == "1 report, up to MMI VI (6.2)")
    quake[.mmi] = .number(7.4)
    #expect(quake.shakingText == "up to MMI VII (7.4)")
    quake[.peakAcceleration] = .number(0.223)
    quake[.peakVelocity] = .number(14.2)
    #expect(quake.shakingText == "up to MMI VII (7.4), 0.223 g and 14.2 cm/s")
    quake[.mmi] = nil
    quake[.peakVelocity] = nil
    #expect(quake.shakingText == "up to 0.223 g")
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000")])
  func `thousands are separated`(_ count: Int, _ text: String) {
    #expect(CountText.grouped(count) == text)
  }
}
