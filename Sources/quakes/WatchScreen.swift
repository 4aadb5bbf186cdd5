import CoreData
import Dispatch
import Foundation
import StrataQuakes
import StrataQuakesConfig
import StrataQuakesScreen

/// The live list as a table, without keys, that is redrawn when what it shows changes. Other commits cause no drawing.
@MainActor
final class WatchScreen {
  struct Options: Sendable {
    var filter: FilterOptions
    var circle: GeoCircle?
    var region: RegionArea?
    /// 0 for all.
    var limit: Int
    var output: OutputOptions
    var settings: Settings
    var columns: ColumnChoice
    var location: StoreLocation
    /// Whether to redraw in place; otherwise only new lines are appended.
    var isInPlace: Bool
  }

  private let list: LiveList
  private let options: Options
  /// Whether to fetch before drawing next.
  private var needsFetch = true
  private let screen = ScreenTerminal(ScreenTerminal.Usage(handledSignals: [SIGINT, SIGTERM]))
  private var relay: SignalRelay?
  private var minuteTimer: MinuteTimer?
  private var lossWatch: StoreLossMonitor?
  private var migrationMonitor: MigrationMonitor?
  /// The time of the newest import that is shown.
  private var newestImport: Date?

  /// For the newer version of this program.
  struct FormerSelf: Codable {
    var newestImport: Date?
  }
  /// The changes of one turn of the main queue are drawn together.
  private var plannedDrawing: PlannedAction?
  private var shown: [QuakeFacts]?
  /// The columns of the lines that were appended.
  private var layout: QuakeTable.Layout?

  init(_ container: QuakesContainer, options: Options) {
    self.options = options
    list = LiveList(
      LiveStore(container, at: options.location, reference: nil, style: options.output.style(options.settings)))
    plannedDrawing = PlannedAction { [weak self] in self?.draw() }
    list.onChange = { [weak self] in self?.planDrawing() }
  }

  /// Draws until a signal ends the process. The screen lives as long as the process.
  func begin() {
    let numbers = [SIGINT, SIGTERM] + (options.isInPlace ? [SIGWINCH, SIGTSTP, SIGCONT] : [])
    do throws(Failure) {
      relay = try SignalRelay(numbers) { number in self.handle(signal: number) }
    } catch {
      end(error)
    }
    if options.isInPlace {
      screen.enter()
      // The ages change; fetching again costs one indexed query.
      minuteTimer = MinuteTimer { self.planFetch() }
    }
    lossWatch = StoreLossMonitor(options.location) { self.end($0) }
    migrationMonitor = MigrationMonitor(list.store.container) {
      DispatchQueue.main.async { MainActor.assumeIsolated { self.planFetch() } }
    }
    draw()
  }

  private func handle(signal number: Int32) {
    switch number {
    case SIGINT: end(.interrupted)
    case SIGTERM: end(.ok)
    case SIGTSTP: _ = screen.suspend()
    case SIGCONT: _ = screen.reenter()
    default: break
    }
    planFetch()
  }

  /// Schedules a fetch, because the time window or the terminal's size changed.
  private func planFetch() {
    needsFetch = true
    planDrawing()
  }

  private func planDrawing() { plannedDrawing?.plan() }

  private func draw() {
    let now = Date()
    let terminal = options.output.terminal(options.settings)
    let isWritten: Bool
    do {
      let quakes = try quakes(terminal, at: now)
      if shown == nil, let former = ProgramReplacement.current.state(FormerSelf.self) {
        shown = shownQuakes(of: former)
      }
      isWritten =
        options.isInPlace
        ? drawInPlace(quakes, terminal: terminal, now: now) : try append(quakes, terminal: terminal, now: now)
      shown = quakes
      newestImport = listed.compactMap(\.learnt).max() ?? newestImport
    } catch {
      var failure = error as? Failure ?? Failure.reading(options.location, error: error)
      let former = FormerSelf(newestImport: newestImport)
      let isReplaced = ProgramReplacement.current.execute(
        after: &failure, handing: former, preparing: { self.screen.leave() }, onFailure: { self.end($0) })
      if isReplaced { return }
      end(failure)
    }
    // The reader is gone.
    if !isWritten { end(.ok) }
  }

  private func quakes(_ terminal: Terminal, at now: Date) throws -> [QuakeFacts] {
    var limit = options.limit
    if options.isInPlace, let rows = terminal.rows {
      // The heading and two lines below the table.
      let room = max(1, rows - 3)
      limit = limit == 0 ? room : min(limit, room)
    }
    if needsFetch || list.needsFetch {
      let filter = options.filter.filter(
        at: Moment(now, in: options.output.style(options.settings).zone), circle: options.circle, region: options.region
      )
      try list.fetch(QuakeQuery(filter, limit: limit))
      needsFetch = false
    }
    return listed.map(facts)
  }

  private var listed: [Quake] { (0..<list.count).compactMap { list[$0] } }

  private func facts(of quake: Quake) -> QuakeFacts {
    var facts = quake.facts
    if options.columns.has("region") { facts.findRegion() }
    facts.distance = options.circle?.distance(latitude: facts.latitude, longitude: facts.longitude)
    return facts
  }

  private func shownQuakes(of former: FormerSelf) -> [QuakeFacts] {
    let newest = former.newestImport ?? .distantPast
    return listed.filter { ($0.learnt ?? .distantPast) <= newest }.map(facts)
  }

  private func drawInPlace(_ quakes: [QuakeFacts], terminal: Terminal, now: Date) -> Bool {
    var lines = table(terminal, at: now).lines(quakes)
    if quakes.isEmpty { lines.append("no matching earthquake yet") }
    let clock = options.output.style(options.settings).clockText(now)
    // The folder comes last, because a narrow terminal cuts off the end.
    let foot = "\(quakes.count) shown · \(clock) · Ctrl-C ends · \(options.location.folder.path)"
    lines += ["", OutputText(terminal.columns.map { DisplayWidth.fitted(foot, to: $0) } ?? foot)]
    return screen.show(Frame(lines, size: screen.size))
  }

  private func table(_ terminal: Terminal, at now: Date) -> QuakeTable {
    QuakeTable(
      terminal: terminal, now: now, style: options.output.style(options.settings), columns: options.columns)
  }

  /// Prints the whole table first, then only new or changed earthquakes.
  private func append(_ quakes: [QuakeFacts], terminal: Terminal, now: Date) throws(Failure) -> Bool {
    let table = table(terminal, at: now)
    let layout = layout ?? table.layout(of: quakes, isPart: true)
    self.layout = layout
    guard let shown else { return try Output.line(table.lines(quakes, in: layout).joined(separator: "\n")) }
    let known = Dictionary(shown.map { ($0.identifier, $0) }) { first, _ in first }
    let fresh = quakes.filter { known[$0.identifier] != $0 }
    guard !fresh.isEmpty else { return true }
    return try Output.line(table.lines(fresh.reversed(), hasHeading: false, in: layout).joined(separator: "\n"))
  }

  private func end(_ status: ExitStatus) {
    screen.leave()
    exit(status.rawValue)
  }

  private func end(_ failure: Failure) -> Never {
    screen.leave()
    StandardStream.error.line("quakes: \(failure.message)")
    exit(failure.status.rawValue)
  }
}
