import Foundation
import StrataQuakes
import Testing

@testable import StrataQuakesSummary

/// The exact output for each status bar, with a place name that contains the markup of all of them.
@Suite("The forms of status bars") struct SummaryFormTests {
  private static let now = Date(timeIntervalSince1970: 1_795_219_200)
  private static let place = "A & B <c> %{F#f00} #[x] #(id) | 100% 'Pāhala' \"q\"\u{1B}[2J\n---\u{202E}"

  private static func quake(_ magnitude: Double?, _ place: String?, minutes: Double = 12) -> QuakeFacts {
    var quake = QuakeFacts()
    (quake.magnitude, quake.place, quake.depth) = (magnitude, place, 10)
    quake.time = now.addingTimeInterval(-minutes * 60)
    quake.url = "https://example.org/a'b?x=1&y=`id`;z$(w)|%{A}"
    return quake
  }

  private static let page = "https://example.org/a%27b?x=1&y=%60id%60%3Bz%24%28w%29%7C%25%7BA%7D"
  private static let command = "xdg-open '\(page)'"
  private static let escapedCommand = command.replacing(":", with: #"\:"#)

  private static func output(
    _ form: SummaryForm, _ quakes: [QuakeFacts] = [quake(6.1, place), quake(-0.4, "Tonga <b>", minutes: 90)],
    stale: String? = nil, whenNone: String = "no quakes yet", isFollowing: Bool = false
  ) -> String {
    let summary = Summary(recent: quakes, today: 37, now: now, staleReason: stale)
    let line = BarLine(summary, template: .standard, width: nil, whenNone: whenNone)
    return form.text(line, isFollowing: isFollowing).text
  }

  static let hostile: [(SummaryForm, String)] = [
    (
      .waybar,
      #"{"text":"M 6.1 A &amp; B &lt;c&gt; %{F#f00} #[x] #(id) | 100% 'Pāhala' &quot;q&quot; ---  12 min ago · "#
        + #"37 today","alt":"strong","tooltip":" 6.1  12 min ago   10 km  A &amp; B &lt;c&gt; %{F#f00} #[x] #(id) | 100% "#
        + #"'Pāhala' &quot;q&quot; --- \n-0.4  1 h ago      10 km  Tonga &lt;b&gt;","#
        + #""class":["strong","new"],"percentage":61}"#
    ),
    (
      .i3blocks,
      "M 6.1 A & B <c> %{F#f00} #[x] #(id) | 100% 'Pāhala' \"q\" ---  12 min ago · 37 today\nM 6.1 12 min ago\n#ff8700"
    ),
    (
      .i3bar,
      #"{"name":"quakes","full_text":"M 6.1 A & B <c> %{F#f00} #[x] #(id) | 100% 'Pāhala' \"q\" ---  12 min ago · "#
        + ##"37 today","short_text":"M 6.1 12 min ago","color":"#ff8700","urgent":true,"markup":"none"}"##
    ),
    (
      .i3statusRust,
      #"{"state":"Warning","text":"M 6.1 A &amp; B &lt;c&gt; %{F#f00} #[x] #(id) | 100% 'Pāhala' &quot;q&quot; "#
        + #"---  12 min ago · 37 today","short_text":"M 6.1 12 min ago"}"#
    ),
    (
      .polybar,
      "%{A1:\(escapedCommand):}%{F#ff8700}M 6.1 A & B <c> % {F#f00} #[x] #(id) | 100% 'Pāhala' \"q\" ---  12 min ago"
        + " · 37 today%{F-}%{A}"
    ),
    (
      .lemonbar,
      "%{A:\(escapedCommand):}%{F#ff8700}M 6.1 A & B <c> %%{F#f00} #[x] #(id) | 100%% 'Pāhala' \"q\" ---  12 min ago"
        + " · 37 today%{F-}%{A}"
    ),
    (
      .xmobar,
      "<action=`\(command)`><fc=#ff8700><raw=82:M 6.1 A & B <c> %{F#f00} #[x] #(id) | 100% 'Pāhala' \"q\" ---  "
        + "12 min ago · 37 today/></fc></action>"
    ),
    (
      .tmux,
      "#[fg=#ff8700]M 6.1 A & B <c> %{F####f00} ##[x] ####(id) | 100% 'Pāhala' \"q\" ---  12 min ago · 37 today#[default]"
    ),
    (.dwmblocks, "M 6.1 A & B <c> %{F#f00} #[x] #(id) | 100% 'Pāhala' \"q\" ---  12 min ago · 37 today"),
    (
      .genmon,
      """
      <txt><span fgcolor="#ff8700">M 6.1 A &amp; B &lt;c&gt; %{F#f00} #[x] #(id) | 100% 'Pāhala' &quot;q&quot; ---  \
      12 min ago · 37 today</span></txt>
      <tool> 6.1  12 min ago   10 km  A &amp; B &lt;c&gt; %{F#f00} #[x] #(id) | 100% 'Pāhala' &quot;q&quot; --- \

      -0.4  1 h ago      10 km  Tonga &lt;b&gt;</tool>
      <txtclick>\(command)</txtclick>
      """
    ),
    (
      .swiftbar,
      """
      M 6.1 A & B <c> %{F#f00} #[x] #(id) ¦ 100% 'Pāhala' "q" ---  12 min ago · 37 today | color=#ff8700
      ---
       6.1  12 min ago   10 km  A & B <c> %{F#f00} #[x] #(id) ¦ 100% 'Pāhala' "q" ---  | href=\(page)
      -0.4  1 h ago      10 km  Tonga <b> | href=\(page)
      """
    ),
    (.plain, "M 6.1 A & B <c> %{F#f00} #[x] #(id) | 100% 'Pāhala' \"q\" ---  12 min ago · 37 today"),
  ]

  @Test(arguments: hostile)
  func `a place name is never markup`(form: SummaryForm, output: String) {
    #expect(Self.output(form) == output)
  }

  @Test func `a place name cannot draw in dwm`() {
    let quakes = [Self.quake(5, "^c#ff0000^Tonga^r0,0,99,99^")]
    #expect(Self.output(.dwmblocks, quakes) == "M 5.0 ˆc#ff0000ˆTongaˆr0,0,99,99ˆ 12 min ago · 37 today")
    #expect(Self.output(.plain, quakes) == "M 5.0 ^c#ff0000^Tonga^r0,0,99,99^ 12 min ago · 37 today")
  }

  /// In Swift, a markup character and an accent form one character, but status bars read bytes.
  @Test func `a markup character with an accent is escaped too`() throws {
    let quakes = [Self.quake(5, "%{\u{301} %\u{301} <\u{301} &\u{301} ^\u{301} |\u{301} #\u{301} '\u{301}")]
    func expect(_ form: SummaryForm, has text: String) {
      let output = Self.output(form, quakes)
      #expect(output.utf8.contains(text.utf8), "\(form): \(output)")
    }
    expect(.polybar, has: "% {\u{301} %\u{301} <")
    expect(.lemonbar, has: "%%{\u{301} %%\u{301} <")
    expect(.xmobar, has: "<raw=52:M 5.0 %{\u{301}")
    expect(.dwmblocks, has: " ˆ\u{301} |")
    expect(.swiftbar, has: " ¦\u{301} #")
    expect(.tmux, has: " ####\u{301} '")
    for form in [SummaryForm.waybar, .genmon, .i3statusRust] {
      expect(form, has: " &lt;\u{301} &amp;\u{301} ^\u{301} |\u{301} #\u{301} '\u{301}")
    }
    let bar = BarLine(
      Summary(recent: [Self.quake(5, "--\u{301}")], now: Self.now), template: try SummaryTemplate("{place}"),
      width: nil, whenNone: "")
    #expect(SummaryForm.swiftbar.text(bar).text.utf8.starts(with: "‐-\u{301}".utf8))
  }

  @Test func `a place name cannot start a section in SwiftBar`() {
    let output = Self.output(.swiftbar, [Self.quake(5, "a ~~~ b ~~~~")], isFollowing: true)
    #expect(output.hasPrefix("~~~\nM 5.0 a ∼∼∼ b ∼∼∼~ 12 min ago"))
    #expect(output.components(separatedBy: "~~~").count == 2, "\(output)")
  }

  @Test func `a place name cannot insert a picture in SwiftBar`() {
    let lines = Self.output(.swiftbar, [Self.quake(5, ":warning: Tonga")]).split(separator: "\n")
    let asText = "emojize=false symbolize=false"
    #expect(lines.first == "M 5.0 :warning: Tonga 12 min ago · 37 today | color=#e5c07b \(asText)")
    #expect(lines.last == " 5.0  12 min ago   10 km  :warning: Tonga | href=\(Self.page) \(asText)")
  }

  @Test func `the cases cover every form`() {
    #expect(Set(Self.hostile.map(\.0)) == Set(SummaryForm.allCases))
    #expect(SummaryForm(name: "xbar") == .swiftbar && SummaryForm(name: "conky") == nil)
  }

  static let empty: [(SummaryForm, String)] = [
    (.waybar, #"{"text":"","alt":"none","tooltip":"","class":["none"],"percentage":0}"#), (.i3blocks, "\n"),
    (.i3bar, #"{"name":"quakes","full_text":"","short_text":"","urgent":false,"markup":"none"}"#),
    (.i3statusRust, #"{"state":"Idle","text":"","short_text":""}"#), (.polybar, ""), (.lemonbar, ""), (.xmobar, ""),
    (.tmux, ""), (.dwmblocks, ""), (.genmon, "<txt></txt>"), (.swiftbar, ""), (.plain, ""),
  ]

  @Test(arguments: empty)
  func `an empty summary is valid output for each bar`(form: SummaryForm, output: String) {
    #expect(Self.output(form, [], whenNone: "") == output)
  }

  @Test func `a stale line is marked as stale`() throws {
    let quakes = [Self.quake(7.2, "Tonga", minutes: 5)]
    let reason = "last fetched 2 h ago; all_hour: <HTTP 429>"
    #expect(Self.output(.plain, quakes, stale: reason) == "M 7.2 Tonga 5 min ago · 37 today · stale")
    #expect(Self.output(.tmux, quakes, stale: reason).hasPrefix("#[fg=#888888]M 7.2"))
    let waybar = Self.output(.waybar, quakes, stale: reason)
    #expect(waybar.contains(#""tooltip":"stale: last fetched 2 h ago; all_hour: &lt;HTTP 429&gt;\n 7.2  5 min ago"#))
    #expect(waybar.contains(#""class":["major","new","stale"]"#))
    #expect(Self.output(.i3statusRust, quakes, stale: reason).contains(#""state":"Warning""#))
    #expect(Self.output(.swiftbar, quakes, stale: reason).contains("\nstale: last fetched"))
  }

  @Test func `a tooltip ends with the number of smaller earthquakes`() {
    var summary = Summary(recent: [Self.quake(5, "Chile")], today: 3, now: Self.now)
    summary.smaller = 231
    func output(_ form: SummaryForm, above minimum: Double?) -> String {
      form.text(
        BarLine(summary, template: .standard, width: nil, whenNone: "", minimumMagnitude: minimum)
      ).text
    }
    let text = "231 earthquakes below M 4.5 in the last 24 hours"
    #expect(output(.swiftbar, above: 4.5).hasSuffix("\n\(text)"))
    #expect(output(.genmon, above: 4.5).contains("\n\(text)</tool>"))
    #expect(output(.waybar, above: 4.5).contains("\\n\(text)\","))
    #expect(!output(.waybar, above: nil).contains("below") && !output(.plain, above: 4.5).contains("below"))
  }

  @Test func `consecutive lines follow the protocol of the bar`() throws {
    let quakes = [Self.quake(5, "Chile")]
    let block =
      #"{"name":"quakes","full_text":"M 5.0 Chile 12 min ago · 37 today","short_text":"M 5.0 12 min ago","#
      + ##""color":"#e5c07b","urgent":false,"markup":"none"}"##
    #expect(SummaryForm.i3bar.preamble?.text == "{\"version\":1,\"click_events\":true}\n[")
    #expect(Self.output(.i3bar, quakes, isFollowing: true) == "[\(block)],")
    #expect(Self.output(.i3blocks, quakes, isFollowing: true) == block)
    #expect(Self.output(.swiftbar, quakes, isFollowing: true).hasPrefix("~~~\nM 5.0 Chile"))
    for form in [SummaryForm.waybar, .i3statusRust, .plain] {
      #expect(form.preamble == nil && !Self.output(form, isFollowing: true).contains("\n"))
    }
  }

  @Test(
    arguments: [
      (nil, 5.0, nil), (2.4, 5, "#888888"), (4.4, 5, nil), (4.5, 5, "#e5c07b"), (6.9, 5, "#ff8700"), (7, 5, "#ff5555"),
      (9, 1441, nil),
    ] as [(Double?, Double, String?)])
  func `the color follows the magnitude for a day`(magnitude: Double?, minutes: Double, color: String?) {
    let summary = Summary(recent: [Self.quake(magnitude, "Chile", minutes: minutes)], now: Self.now)
    #expect(BarLine(summary, template: .standard, width: nil, whenNone: "").color == color)
  }

  @Test(
    arguments: [
      (6, nil, 59, true), (5.9, nil, 59, false), (6, nil, 61, false), (5, "red", 59, true), (nil, "orange", 59, true),
      (5, "yellow", 59, false), (5, "red", 61, false), (5, "RED!", 59, false),
    ] as [(Double?, String?, Double, Bool)])
  func `strong or harmful earthquakes are urgent for an hour`(
    magnitude: Double?, alert: String?, minutes: Double, isUrgent: Bool
  ) {
    var quake = Self.quake(magnitude, "Chile", minutes: minutes)
    quake.alert = alert
    let summary = Summary(recent: [quake], now: Self.now)
    #expect(BarLine(summary, template: .standard, width: nil, whenNone: "").isUrgent == isUrgent)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func `any magnitude has a percentage`(magnitude: Double) {
    #expect(Self.output(.waybar, [Self.quake(magnitude, "Chile")]).contains("percentage"))
  }

  @Test(arguments: 1...60) func `lines are not wider than the limit`(width: Int) {
    let quake = Self.quake(7, "宮城県沖, a long way off the coast of Honshu, Japan")
    for stale in [nil, "no worker"] {
      let summary = Summary(recent: [quake], today: 3, now: Self.now, staleReason: stale)
      let line = BarLine(summary, template: .standard, width: width, whenNone: "")
      #expect(DisplayWidth.columns(line.text) <= width && DisplayWidth.columns(line.short) <= width)
    }
  }
}

@Suite("The options of the summary") struct SummaryOptionsTests {
  @Test func `options are parsed`() throws {
    let options = try SummaryOptions([
      "--format=waybar", "--template", "{place}", "--max-width", "30", "--when-none", "", "--stale-after=2h",
      "--fail-stale", "--min-mag", "4.5",
    ])
    #expect(options.form == .waybar && options.width == 30 && options.whenNone == "" && options.failsIfStale)
    #expect(abs(options.staleAfter - 7200) < 1e-3 && options.minimumMagnitude == 4.5)
    #expect(options.template == (try SummaryTemplate("{place}")))
    #expect(try SummaryOptions(["--follow"]).action == .follow)
    #expect(try SummaryOptions(["--print-url"]).action == .printPage)
  }

  @Test func `the default summary has a minimum magnitude`() throws {
    #expect(try SummaryOptions([]).minimumMagnitude == 4.5 && SummaryOptions([]).whenNone == nil)
    #expect(try SummaryOptions(["--min-magnitude", "any"]).minimumMagnitude == nil)
    #expect(try SummaryOptions(["--min-mag=-1"]).minimumMagnitude == -1)
    #expect(SummaryOptions.help.contains("(default: 4.5,"))
  }

  @Test(arguments: [
    ["--format", "conky"], ["--format"], ["--max-width", "0"], ["--max-width=99999999999999999999"],
    ["--stale-after", "2026-11-20"], ["--template", "{colour}"], ["--follow=1"], ["--follow", "--fail-stale"],
    ["--follow", "--as-of", "1h"], ["now"],
  ])
  func `invalid and contradictory options are refused`(arguments: [String]) {
    let failure = #expect(throws: Failure.self) { try SummaryOptions(arguments) }
    #expect(failure?.status == .usage)
  }

  @Test func `the help names every form and field`() {
    // The completions are generated from this list, so commas separate its names on all lines.
    let list = SummaryOptions.help.split(separator: "--format <bar>  ")[1].split(separator: " (default")[0]
    let names = list.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    #expect(names == SummaryForm.allNames)
    #expect(names.allSatisfy { SummaryForm(name: $0) != nil })
    #expect(Set(SummaryForm.allCases.map(\.rawValue)).isSubset(of: names) && names.contains("xbar"))
    #expect(SummaryOptions.help.split(separator: "\n").allSatisfy { $0.count <= 120 })
    for field in SummaryTemplate.Field.allCases { #expect(SummaryOptions.help.contains("{\(field.rawValue)}")) }
  }
}
