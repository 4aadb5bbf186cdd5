import CoreData
import Dispatch
import Foundation
import StrataQuakes
import StrataQuakesScreen

/// The screen: a list, and what is shown in its place or below it. It is redrawn for keys, for commits of other
/// processes, and every minute.
@MainActor
final class LiveScreen {
  let options: ScreenOptions
  let terminal = ScreenTerminal(ScreenTerminal.Usage(hasPastes: true))
  /// The list, or the reason why it is unavailable.
  var list: Result<ListView, Failure>
  /// The views above the list, the topmost last.
  var views: [any ScreenView] = []
  /// The filter that is being typed.
  var prompt: FilterPrompt?
  /// The note that is being typed.
  var notePrompt: NotePrompt?
  /// The name of a view that is being typed.
  var viewPrompt: ViewPrompt?
  /// A message about the last key: the reason why it had no effect, or what it did.
  var notice: String?
  /// Whether the list is above the details.
  var hasListAbove = false
  private var relay: SignalRelay?
  private var keys: KeyReader?
  private var timers: [any DispatchSourceTimer] = []
  /// The text that was being typed when this version took over. The keys of its rest have no effect, until the one that ends
  /// it.
  var interruptedText: String? {
    didSet {
      let advice = "Quakes was upgraded; Enter or Escape continues. This was not saved:"
      notice = interruptedText.map { "\(advice) \(Terminal.printable($0))" }
    }
  }
  private var isDrawingPlanned = false

  /// A store that does not exist yet is waited for.
  ///
  /// - Throws: `Failure` if it cannot be read, or the filter's place is not found.
  init(_ options: ScreenOptions) throws {
    self.options = options
    let location = try options.store.location()
    list = .failure(Failure.noStore(location))
    if location.hasStore { try open(options.filter) }
  }

  /// Shows the screen until the process ends.
  static func run(_ options: ScreenOptions) throws -> Never {
    let former = ProgramReplacement.current.state(FormerSelf.self)
    var options = options
    if let former, let filter = try? ScreenFilter(former.filter) {
      (options.filter, options.view, options.isReversed) = (filter, former.view, former.isReversed)
      options.order = QuakeQuery.Order(rawValue: former.order) ?? options.order
    }
    try FileDescriptorLimit.check()
    let screen = try MainActor.assumeIsolated { [options] in
      let screen = try LiveScreen(options)
      screen.interruptedText = former?.typed
      return screen
    }
    DispatchQueue.main.async { MainActor.assumeIsolated { screen.begin() } }
    dispatchMain()
  }

  private func begin() {
    do throws(Failure) {
      relay = try SignalRelay([SIGWINCH, SIGTSTP, SIGCONT]) { number in self.handle(signal: number) }
    } catch {
      StandardStream.error.line("quakes: \(error.message)")
      exit(error.status.rawValue)
    }
    keys = KeyReader(onKeys: { keys in self.handle(keys) }, onEnd: { self.end() })
    own(terminal.enter())
    if case .failure = list { waitForStore(options.filter) } else { fetchRest() }
    every(60, from: Age.secondsToNextMinute(Date())) { self.tick() }
    draw()
  }

  private func handle(signal number: Int32) {
    switch number {
    case SIGTSTP: suspend()
    case SIGCONT: own(terminal.reenter())
    default: break
    }
    draw()
  }

  func suspend() { own(terminal.suspend()) }

  /// Keys are read only while the terminal is this process's.
  func own(_ isOwner: Bool) {
    if isOwner { keys?.resume() } else { keys?.pause() }
  }

  func end() -> Never {
    terminal.leave()
    exit(ExitStatus.ok.rawValue)
  }

  // MARK: Time

  private func every(_ seconds: Int, from first: TimeInterval, _ action: @escaping @MainActor @Sendable () -> Void) {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(
      wallDeadline: .now() + first, repeating: .seconds(seconds), leeway: .milliseconds(500))
    timer.setEventHandler { MainActor.assumeIsolated(action) }
    timer.activate()
    timers.append(timer)
  }

  /// The ages changed, and with them what a relative time means.
  private func tick() {
    if terminal.isGone { end() }
    checkStore()
    attempt { list in if list.filter.isRelative { try list.fetch() } else { list.noteChange() } }
    draw()
  }

  /// Coalesces the changes of one turn of the main queue into one drawing.
  func planDrawing() {
    guard !isDrawingPlanned else { return }
    isDrawingPlanned = true
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        self.isDrawingPlanned = false
        self.draw()
      }
    }
  }
}

// MARK: - The store

extension LiveScreen {
  private func open(_ filter: ScreenFilter) throws {
    let store = try LiveStore(options.store, style: options.style)
    let view = try ListView(store, filter: filter, options: options)
    store.onChange = { [weak self, weak view] in
      view?.noteChange()
      self?.planDrawing()
    }
    store.onMigration = { [weak self] in self?.attempt { try $0.fetch() } }
    store.watchFolder { [weak self, weak view] in
      view?.noteChange()
      self?.checkStore()
      self?.planDrawing()
    }
    list = .success(view)
  }

  /// Fetches the rest of the list after its first rows are on screen.
  private func fetchRest() {
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        self.attempt { if $0.isPart { try $0.fetch() } }
        self.draw()
      }
    }
  }

  /// Does something with the list; if it cannot be read, shows why.
  func attempt(_ body: (ListView) throws -> Void) {
    guard case .success(let view) = list else { return }
    do {
      try body(view)
    } catch {
      lose(view, for: error as? Failure ?? Failure.reading(view.store.location, error: error))
    }
  }

  func lose(_ view: ListView, for failure: Failure) {
    var failure = failure
    if continueAsNewVersion(after: &failure, view.filter, of: view) { return }
    view.store.close()
    (list, views, prompt, notePrompt, viewPrompt) = (.failure(failure), [], nil, nil, nil)
    waitForStore(view.filter)
  }

  /// For the newer version of this program.
  struct FormerSelf: Codable {
    var filter: String
    var view: String?
    var order: String
    var isReversed: Bool
    /// A note, or another text, that was being typed.
    var typed: String?
  }

  /// - Parameter list: nil before the store could be opened.
  private func continueAsNewVersion(
    after failure: inout Failure, _ filter: ScreenFilter, of list: ListView? = nil
  ) -> Bool {
    let former = FormerSelf(
      filter: filter.text, view: list.map(\.view) ?? options.view,
      order: (list?.order ?? options.order).rawValue, isReversed: list?.isReversed ?? options.isReversed,
      typed: prompt?.field.text ?? notePrompt?.field.text ?? viewPrompt?.field.text ?? interruptedText)
    return ProgramReplacement.current.execute(
      after: &failure, handing: former, preparing: { self.terminal.leave() },
      onFailure: { failure in
        self.own(self.terminal.enter())
        (self.list, self.views) = (.failure(failure), [])
        self.waitForStore(filter)
      })
  }

  /// Detects a store that was deleted, replaced or created.
  func checkStore() {
    guard case .success(let view) = list else { return }
    if view.store.isReplaced {
      lose(view, for: Failure.noStore(view.store.location))
    } else {
      view.store.openPersonal()
    }
  }

  /// Tries to open the store once a second, until that succeeds.
  func waitForStore(_ filter: ScreenFilter) {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now(), repeating: .seconds(1), leeway: .milliseconds(200))
    timer.setEventHandler {
      MainActor.assumeIsolated {
        guard (try? self.options.store.location().hasStore) == true else { return }
        do {
          try self.open(filter)
          timer.cancel()
          self.fetchRest()
        } catch {
          var failure = error as? Failure ?? Failure(.storeUnavailable, "\(error)")
          if self.continueAsNewVersion(after: &failure, filter) { return timer.cancel() }
          self.list = .failure(failure)
        }
        self.draw()
      }
    }
    timer.activate()
  }
}
