import Foundation
import StrataQuakes
import StrataQuakesConfig
import Testing

@testable import StrataQuakesCommand

@Suite struct ScreenFilterTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private var moment: Moment { Moment(now, in: .universal) }

  @Test func `plain words are the search text`() throws {
    #expect(try ScreenFilter("  off the  coast ").fixed.text == "off the coast")
    #expect(try ScreenFilter("").fixed == QuakeFilter())
    #expect(try ScreenFilter("\"mag>=5\" tonga").fixed.text == "mag>=5 tonga")
  }

  @Test func `filter words narrow the result`() throws {
    let filter = try ScreenFilter(
      "Tonga mag>=5 magnitude<=7.5 depth>10 depth<70 type:\"quarry blast\" status:reviewed source:us alert:Yellow felt "
        + "retracted box:170,-50,-170,-30 near:\"Valencia, Spain\" within:300mi since:24h until:2026-11-20")
    #expect(filter.fixed.text == "Tonga")
    #expect(filter.fixed.minimumMagnitude == 5 && filter.fixed.maximumMagnitude == 7.5)
    #expect(filter.fixed.minimumDepth == 10.0.nextUp && filter.fixed.maximumDepth == 70.0.nextDown)
    #expect(filter.fixed.type == "quarry blast" && filter.fixed.status == "reviewed" && filter.fixed.source == "us")
    #expect(filter.fixed.alert == .yellow && filter.fixed.isFelt && filter.fixed.includesRetracted)
    #expect(filter.fixed.box == GeoBox("170,-50,-170,-30"))
    #expect(filter.near == "Valencia, Spain" && filter.within == 300 * 1.609344)
    #expect(filter.filter(at: moment, circle: nil, marked: { _ in [] }).since == now.addingTimeInterval(-86_400))
    #expect(filter.isRelative)
    let limits = try ScreenFilter("horizontal_error<=2 tonga location_source:ci")
    #expect(limits.fixed.limits.map(\.text) == ["horizontal_error_km<=2", "location_source=ci"])
    #expect(limits.fixed.text == "tonga")
    let effects = try ScreenFilter("felt>=10 alert>orange products:shakemap")
    #expect(effects.fixed.limits.map(\.text) == ["felt_reports>=10", "alert>orange", "products=shakemap"])
    #expect(effects.fixed.alert == nil && !effects.fixed.isFelt)
    let open = try ScreenFilter("type:\"quarry blast ")
    #expect(try ScreenFilter(open.text) == open && open.fixed.type == "quarry blast")
    #expect(try ScreenFilter("mag=5").fixed.maximumMagnitude == 5)
    #expect(try ScreenFilter("MAG:5").fixed.minimumMagnitude == 5)
  }

  @Test(
    arguments: [
      ("mag>=", "mag needs a number"), ("mag>=x", "not \"x\""), ("mag>=nan", "a number"), ("mag>=inf", "a number"),
      ("since:tomorrow", "since needs a time"), ("near:", "near needs a value"), ("within:far", "a distance"),
      ("alert:purple", "green, yellow"), ("box:1,2,3", "west, south"), ("foo:bar", "unknown filter \"foo:\""),
      ("tonga depth<", "depth needs"), ("horizontal_error<=x", "horizontal_error needs a limit"),
      ("nearest_city:Tokyo", "nearest_city needs a limit"), ("magg>=5", "did you mean mag?"),
      ("tonga or", "or needs a filter on both sides, as in tonga or fiji"), ("or", "both sides"),
      ("tonga or or fiji", "both sides"), ("mag>=5 not", "not needs a filter after it, as in not type:explosion"),
      ("(tonga", "( needs a ) after it, as in (tonga or fiji)"), ("()", "( needs a filter before its )"),
      ("tonga or near:Tokyo", "near: is for all that is listed"), ("-within:5km", "within: is for all"),
      ("(retracted mag>=5)", "retracted is for all"),
      ("tonga or mag>=x", "mag needs a number, as in mag>=5, not \"x\""),
      (String(repeating: "(", count: 100), "at most 20"), (String(repeating: "not ", count: 100), "at most 20"),
      (String(repeating: "a ", count: 301), "at most 300 words, not 301"),
    ])
  func `an invalid filter is reported`(text: String, reason: String) {
    let problem = #expect(throws: ScreenFilter.Problem.self) { try ScreenFilter(text) }
    #expect(problem?.text.contains(reason) == true, "\(problem?.text ?? "")")
  }

  private func predicate(_ text: String) throws -> String {
    let marked: [MarkCondition: [String]] = [.starred: ["us1"], .acknowledged: ["us2"], .noted: []]
    let filter = try ScreenFilter(text).filter(at: moment, circle: nil) { marked[$0] ?? [] }
    return Self.format(of: filter.predicate).replacing("standing == 0", with: "")
      .replacing(/\(place CONTAINS\[cd\] "([^"]*)" OR title CONTAINS\[cd\] "[^"]*"\)/) { "text(\($0.1))" }
      .replacing(" AND ", with: "&").replacing(/^&/, with: "")
  }

  /// Foundation's own compound predicates on Linux have no format.
  private static func format(of predicate: NSPredicate) -> String {
    guard let compound = predicate as? NSCompoundPredicate else {
      let reader: any FormatReading = FormatReader()
      return reader.format(of: predicate)
    }
    let parts = compound.subpredicates.map { part in
      let isJoined = (part as? NSCompoundPredicate).map {
        $0.compoundPredicateType == .not || $0.subpredicates.count > 1
      }
      return isJoined == true ? "(\(format(of: part)))" : format(of: part)
    }
    switch compound.compoundPredicateType {
    case .not: return "NOT \(parts[0])"
    case .or: return parts.joined(separator: " OR ")
    default: return parts.joined(separator: " AND ")
    }
  }

  static let combinations = [
    ("tonga or fiji", "(text(tonga) OR text(fiji))"),
    ("south tonga mag>=5 OR fiji", "((magnitude >= 5&text(south tonga)) OR text(fiji))"),
    ("depth<=70 (tonga or fiji)", "depth <= 70&(text(tonga) OR text(fiji))"),
    ("(tonga (mag>=5 or felt))", "(text(tonga)&(magnitude >= 5 OR felt > 0))"),
    ("-type:explosion", #"(NOT type ==[c] "explosion")"#), ("type!=explosion", #"(NOT type ==[c] "explosion")"#),
    ("not new zealand mag>=5", "magnitude >= 5&(NOT text(new zealand))"),
    ("-new zealand", "text(zealand)&(NOT text(new))"), ("-\"new zealand\"", "(NOT text(new zealand))"),
    ("not (tonga or fiji)", "(NOT (text(tonga) OR text(fiji)))"), ("-(mag<=5 felt)", "(NOT (magnitude <= 5&felt > 0))"),
    ("not not felt", "(NOT (NOT felt > 0))"), ("mag>=5 and felt and tonga", "magnitude >= 5&felt > 0&text(tonga)"),
    ("bosnia and herzegovina", "text(bosnia and herzegovina)"), ("\"truth or\" -5 a) b)", "text(truth or -5 a) b))"),
    ("starred", #"identifier IN {"us1"}"#), ("unacknowledged", #"(NOT identifier IN {"us2"})"#),
    ("starred or -unacknowledged", #"(identifier IN {"us1"} OR (NOT (NOT identifier IN {"us2"})))"#),
    ("stations==20 or \"starred\"", "(nst == 20 OR text(starred))"),
  ]

  @Test(arguments: combinations) func `filters are combined`(text: String, format: String) throws {
    let found = try predicate(text)
    #expect(found == format)
  }

  @Test func `times and marks in combinations are found`() throws {
    #expect(try ScreenFilter("tonga or -since:24h").isRelative && !ScreenFilter("tonga or felt").isRelative)
    #expect(try ScreenFilter("mag>=5 (starred or not noted)").marks == [.starred, .noted])
    #expect(try ScreenFilter("unacknowledged").marks == [.acknowledged] && ScreenFilter("\"starred\"").marks.isEmpty)
  }

  @Test func `options become filter words`() throws {
    let options = try FilterOptions.parse([
      "--min-mag", "4.5", "--max-depth", "70", "--since", "24h", "--type", "quarry blast", "--text", "felt near:x",
      "--felt", "--where", "horizontal_error<=2,location_source=us ci",
      "--box", "170,-50,-170,-30", "--alert", "red", "--max-mag", "-0.5",
    ])
    let marks = try FilterOptions.parse(["--starred", "--noted", "--unacknowledged"])
    #expect(try ScreenFilter(nil, marks, near: nil, within: nil).text == "starred noted unacknowledged")
    let filter = try ScreenFilter(nil, options, near: "Valencia, Spain", within: 300.5)
    #expect(
      filter.text == "\"felt near:x\" mag>=4.5 mag<=-0.5 depth<=70 since:24h near:\"Valencia, Spain\" within:300.5km "
        + "type:\"quarry blast\" box:170.0,-50.0,-170.0,-30.0 alert:red "
        + "horizontal_error_km<=2 location_source=\"us ci\" felt")
    let circle = GeoCircle(latitude: 1, longitude: 2, radius: 3)
    #expect(
      filter.filter(at: moment, circle: circle, marked: { _ in [] }) == options.filter(at: moment, circle: circle))
  }

  @Test func `options limit a view`() throws {
    func text(_ filter: String, _ words: String...) throws -> String {
      try ScreenFilter(SavedView("v", filter: filter), FilterOptions.parse(words), near: nil, within: nil).text
    }
    #expect(try text("mag>=5 -felt", "--max-depth", "70") == "mag>=5 -felt depth<=70")
    #expect(try text("tonga or fiji", "--felt") == "(tonga or fiji) felt" && text("tonga or fiji") == "tonga or fiji")
    #expect(try text("type:\"quarry blast", "--felt") == "type:\"quarry blast\" felt")
    let failure = #expect(throws: Failure.self) { try text("mag>=x") }
    #expect(failure?.status == .usage && failure?.message.hasPrefix("the view \"v\": mag needs") == true)
    let limited = #expect(throws: Failure.self) { try text("mag>=x", "--felt") }
    #expect(limited?.message.hasPrefix("the view \"v\" with these options: mag needs") == true)
  }

  @Test func `no input traps`() {
    let pieces = [
      "mag", ">=", "<", "\"", " ", ":", "near", "1e999", "-", "海", "felt", "since", "9999999999999d", "(", ")", " or ",
      " not ", "starred", "!=",
    ]
    for _ in 0..<3000 {
      let text = (0..<8).compactMap { _ in pieces.randomElement() }.joined()
      _ = try? ScreenFilter(text).filter(at: moment, circle: nil) { _ in [] }
    }
  }
}

/// `predicateFormat` is deprecated in Foundation on Linux.
private protocol FormatReading {
  func format(of predicate: NSPredicate) -> String
}

private struct FormatReader: FormatReading {
  @available(*, deprecated)
  func format(of predicate: NSPredicate) -> String { predicate.predicateFormat }
}
