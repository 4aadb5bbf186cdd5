import CoreData
import Dispatch
import Foundation
import StrataQuakes

/// The live list: one context on the main queue that merges other processes' commits by itself, and a table that is drawn
/// again when a fetched results controller says that what it shows has changed. A commit of anything else draws nothing.
@MainActor
final class WatchScreen: NSObject {
  struct Options: Sendable {
    var filter: FilterOptions
    var look: LookOptions
    var location: StoreLocation
    /// Drawn over and over at the same place; otherwise only what is new is appended.
    var isInPlace: Bool
  }

  private let container: QuakesContainer
  private let options: Options
  private var controller: NSFetchedResultsController<Quake>?
  /// Whether the store is to be asked again before the next drawing.
  private var needsFetch = true
  private var sources: [any DispatchSourceProtocol] = []
  private var isDrawingPlanned = false
  private var shown: [QuakeFacts]?

  init(_ container: QuakesContainer, _ options: Options) {
    (self.container, self.options) = (container, options)
  }

  /// Draws and goes on drawing until a signal ends the process. The screen lives as long as it does.
  func begin() {
    container.viewContext.automaticallyMergesChangesFromParent = true
    listen(to: SIGINT) { self.end(.interrupted) }
    listen(to: SIGTERM) { self.end(.ok) }
    if options.isInPlace {
      listen(to: SIGWINCH) { self.planFetch() }
      // Another screen, so that the shell's own is there again afterwards; no cursor.
      StandardStream.output.write("\u{1B}[?1049h\u{1B}[?25l")
      everyMinute { self.planFetch() }
    }
    draw()
  }

  private func listen(to number: Int32, _ action: @escaping @MainActor @Sendable () -> Void) {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler { MainActor.assumeIsolated(action) }
    source.activate()
    sources.append(source)
  }

  /// Ages change by themselves; the store is asked again, too, which costs one indexed fetch.
  private func everyMinute(_ action: @escaping @MainActor @Sendable () -> Void) {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(wallDeadline: .now() + Age.secondsToNextMinute(Date()), repeating: 60, leeway: .milliseconds(500))
    timer.setEventHandler { MainActor.assumeIsolated(action) }
    timer.activate()
    sources.append(timer)
  }

  /// The window of time or of the terminal is another one.
  private func planFetch() {
    needsFetch = true
    planDrawing()
  }

  /// Several changes in one turn of the queue are drawn once.
  private func planDrawing() {
    guard !isDrawingPlanned else { return }
    isDrawingPlanned = true
    DispatchQueue.main.async { MainActor.assumeIsolated { self.draw() } }
  }

  private func draw() {
    isDrawingPlanned = false
    let now = Date()
    let terminal = options.look.terminal
    let isWritten: Bool
    do {
      let quakes = try quakes(terminal, now)
      isWritten = options.isInPlace ? drawInPlace(quakes, terminal, now) : append(quakes, terminal, now)
      shown = quakes
    } catch {
      restore()
      let failure = Failure.reading(options.location, error)
      StandardStream.error.line("quakes: \(failure.message)")
      exit(failure.status.rawValue)
    }
    // Nobody reads any more.
    if !isWritten { end(.ok) }
  }

  private func quakes(_ terminal: Terminal, _ now: Date) throws -> [QuakeFacts] {
    var limit = options.filter.limit
    if options.isInPlace, let rows = terminal.rows {
      // The headline and two lines below the table.
      let room = max(1, rows - 3)
      limit = limit == 0 ? room : min(limit, room)
    }
    // What came in since the last fetch stays behind the end of the list: it is forgotten at times.
    let isLong = limit > 0 && (controller?.fetchedObjects?.count ?? 0) / 2 - 50 > limit
    if needsFetch || isLong { try fetch(limit, now) }
    let found = controller?.fetchedObjects ?? []
    return (limit == 0 ? found[...] : found.prefix(limit)).map(\.facts)
  }

  private func fetch(_ limit: Int, _ now: Date) throws {
    let controller = NSFetchedResultsController(
      fetchRequest: Quake.newest(options.filter.filter(at: now), limit: limit),
      managedObjectContext: container.viewContext, sectionNameKeyPath: nil, cacheName: nil)
    controller.delegate = self
    try controller.performFetch()
    self.controller = controller
    needsFetch = false
  }

  private func drawInPlace(_ quakes: [QuakeFacts], _ terminal: Terminal, _ now: Date) -> Bool {
    var lines = QuakeTable(terminal: terminal, now: now).lines(quakes)
    if quakes.isEmpty { lines.append("no earthquake matches yet") }
    let clock = CalendarDate(now).clockText
    let foot = "\(quakes.count) shown · \(clock)Z · \(options.location.folder.path) · Ctrl-C ends"
    lines += ["", terminal.columns.map { DisplayWidth.fitted(foot, to: $0) } ?? foot]
    // Each line clears what was behind it, and the last what was below: nothing flickers.
    return StandardStream.output.write("\u{1B}[H" + lines.joined(separator: "\u{1B}[K\n") + "\u{1B}[K\u{1B}[J")
  }

  /// The whole table first, then only earthquakes that are new or changed.
  private func append(_ quakes: [QuakeFacts], _ terminal: Terminal, _ now: Date) -> Bool {
    let table = QuakeTable(terminal: terminal, now: now)
    guard let shown else { return StandardStream.output.line(table.lines(quakes).joined(separator: "\n")) }
    let known = Dictionary(shown.map { ($0.identifier, $0) }) { first, _ in first }
    let fresh = quakes.filter { known[$0.identifier] != $0 }
    guard !fresh.isEmpty else { return true }
    return StandardStream.output.line(table.lines(fresh.reversed()).dropFirst().joined(separator: "\n"))
  }

  private func end(_ status: ExitStatus) {
    restore()
    exit(status.rawValue)
  }

  private func restore() {
    if options.isInPlace { StandardStream.output.write("\u{1B}[?25h\u{1B}[?1049l") }
  }
}

extension WatchScreen: @MainActor NSFetchedResultsControllerDelegate {
  /// An earthquake that left its place may have let one in that the limit kept out.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    if type == .delete || type == .move { needsFetch = true }
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) { planDrawing() }
}
