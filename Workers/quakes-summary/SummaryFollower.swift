import CoreData
import Dispatch
import Foundation
import StrataQuakes

/// Prints the line again whenever it changes: after commits of other processes, when the store appears, disappears or is
/// replaced, and at full minutes, when ages change.
///
/// A store that is missing, replaced or unreadable ends nothing: it is looked for again when its folder changes, and at each
/// full minute.
@MainActor
final class SummaryFollower {
  private let location: StoreLocation
  private let options: SummaryOptions
  private var store: FollowedStore?
  private var minuteTimer: MinuteTimer?
  private var request: (any DispatchSourceSignal)?
  private var clicks: ClickReader?
  private var watch: FolderWatch?
  /// Attempts to open the store since it appeared.
  private var attempts = 0
  private static let maximumAttempts = 20
  /// The changes of one turn of the main queue make one line.
  private var plannedUpdate: PlannedAction?
  private var summary: Summary
  /// When the store was last read.
  private var lastRead = Date()
  private var printed: OutputText?
  /// The last failure, which is reported only once.
  private var reportedFailure: String?
  /// Whether the bar still shows the line of this process's former version.
  private var hasFormerLine = false

  /// For the newer version of this program.
  private struct FormerSelf: Codable {
    var hasPreamble = true
  }

  init(_ location: StoreLocation, options: SummaryOptions) {
    (self.location, self.options) = (location, options)
    summary = .withoutStore(location, at: Date())
    plannedUpdate = PlannedAction { [weak self] in self?.update() }
  }

  /// Prints until the reader closes the pipe or a signal ends the process. The follower lives as long as the process.
  func begin() {
    PipeClosedMonitor.endProcess(whenReaderLeaves: StandardStream.output)
    minuteTimer = MinuteTimer { self.update() }
    signal(SIGUSR1, SIG_IGN)
    let request = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .main)
    request.setEventHandler { MainActor.assumeIsolated { self.update() } }
    request.activate()
    self.request = request
    watch = FolderWatch(location.folder.filePath) { self.checkStore() }
    hasFormerLine = ProgramReplacement.current.state(FormerSelf.self) != nil
    if !hasFormerLine, let preamble = options.form.preamble { write(preamble) }
    update()
    if options.form.sendsClicks { clicks = ClickReader { [weak self] in self?.openPage() } }
  }

  private func openPage() {
    guard let page = summary.newest?.page else { return }
    do throws(Failure) {
      try Desktop.open(page)
    } catch {
      StandardStream.error.line("quakes-summary: \(error.message)")
    }
  }

  private func checkStore() {
    guard location.identity != store?.file else { return }
    attempts = 0
    planUpdate()
  }

  /// A program that creates the store just now needs a moment until it can be read.
  private func planAttempt() {
    guard location.hasStore, attempts < Self.maximumAttempts else { return }
    attempts += 1
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(100)) {
      MainActor.assumeIsolated { if self.store == nil { self.planUpdate() } }
    }
  }

  private func update() {
    let now = Date()
    do throws(Failure) {
      summary = try read(at: now)
      (lastRead, hasFormerLine) = (now, false)
      if summary.isStoreMissing { report(Failure.noStore(location)) } else { reportedFailure = nil }
    } catch {
      var failure = error
      if continueAsNewVersion(after: &failure) { return }
      store = nil
      report(failure)
      planAttempt()
      if hasFormerLine { return }
      summary.now = now
      if now.timeIntervalSince(lastRead) > options.staleAfter { summary.staleReason = error.message }
    }
    printLine()
  }

  private func read(at now: Date) throws(Failure) -> Summary {
    // A store that was deleted and created again is another file.
    let file = location.identity
    if store?.file != file { store = nil }
    guard let file else { return .withoutStore(location, at: now) }
    let followed: FollowedStore
    if let store {
      followed = store
    } else {
      followed = try FollowedStore(location, file: file) { [weak self] in self?.planUpdate() }
      store = followed
    }
    do {
      return try options.summary(in: followed.context, of: location, now: now)
    } catch {
      throw Failure.reading(location, error: error)
    }
  }

  /// Executes the newer version of this program if it has migrated the store. The bar keeps its line until the next one.
  private func continueAsNewVersion(after failure: inout Failure) -> Bool {
    ProgramReplacement.current.execute(
      after: &failure, handing: FormerSelf(), keptSignals: [SIGUSR1], onFailure: { self.report($0) })
  }

  private func report(_ failure: Failure) {
    guard reportedFailure != failure.message else { return }
    reportedFailure = failure.message
    StandardStream.error.line("quakes-summary: \(failure.message); waiting for one that can be read")
  }

  private func planUpdate() { plannedUpdate?.plan() }

  private func printLine() {
    let text = options.form.text(options.line(summary), isFollowing: true)
    guard text != printed else { return }
    printed = text
    write(text)
  }

  private func write(_ text: OutputText) {
    do throws(Failure) {
      // Else the reader is gone: the bar was closed.
      if try Output.line(text) { return }
    } catch {
      QuakesSummary.end(error)
    }
    exit(ExitStatus.ok.rawValue)
  }
}

/// An open store, and word of other processes' commits.
@MainActor
private final class FollowedStore {
  let file: CatalogIdentity
  let context: NSManagedObjectContext
  private let container: QuakesContainer
  private let observer: any NSObjectProtocol
  private let migrationMonitor: MigrationMonitor

  /// - Throws: `Failure` if the store cannot be opened.
  init(
    _ location: StoreLocation, file: CatalogIdentity, onChange: @escaping @MainActor @Sendable () -> Void
  ) throws(Failure) {
    self.file = file
    container = try QuakesContainer.open(location, for: .reading)
    context = container.viewContext
    context.automaticallyMergesChangesFromParent = true
    observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { _ in
      MainActor.assumeIsolated(onChange)
    }
    migrationMonitor = MigrationMonitor(container) { DispatchQueue.main.async { MainActor.assumeIsolated(onChange) } }
  }

  isolated deinit {
    NotificationCenter.default.removeObserver(observer)
    let coordinator = container.persistentStoreCoordinator
    // It was only read: a failure to close it loses nothing.
    for store in coordinator.persistentStores { try? coordinator.remove(store) }
  }
}
