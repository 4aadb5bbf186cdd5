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
  private var minuteTimer: MinuteTimer?
  /// A text that was being typed when its purpose was lost. The keys of its rest have no effect, until the one that ends it.
  private(set) var interruptedText: String?
  /// The changes of one turn of the main queue are drawn together.
  private var plannedDrawing: PlannedAction?
  /// The first list and the views above it.
  private let initialState: ScreenState

  /// A store that does not exist yet is waited for.
  ///
  /// - Parameter former: from the former version of this program.
  /// - Throws: `Failure` if it cannot be read, or the filter's place is not found.
  init(_ options: ScreenOptions, former: ScreenState?) throws {
    self.options = options
    initialState = former ?? ScreenState(options.content)
    let location = try options.store.location()
    list = .failure(Failure.noStore(location))
    plannedDrawing = PlannedAction { [weak self] in self?.draw() }
    if location.hasStore { try open(initialState) }
  }

  /// Shows a text that was being typed, or ends that.
  func showInterrupted(_ text: String?) {
    interruptedText = text
    notice = text.map { "Enter or Escape continues. This was not saved: \(Terminal.printable($0))" }
  }

  /// Shows the screen until the process ends.
  static func run(_ options: ScreenOptions) throws -> Never {
    let former = ProgramReplacement.current.state(ScreenState.self)
    try FileDescriptorLimit.check()
    let screen = try MainActor.assumeIsolated { try LiveScreen(options, former: former) }
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
    if case .failure(let failure) = list {
      wait(for: failure, keeping: initialState)
    } else {
      narrow()
      fetchRest()
    }
    minuteTimer = MinuteTimer { self.tick() }
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

  /// The ages changed, and with them what a relative time means.
  private func tick() {
    if terminal.isGone { end() }
    checkStore()
    attempt { list in if list.filter.isRelative { try list.fetch() } else { list.noteChange() } }
    draw()
  }

  func planDrawing() { plannedDrawing?.plan() }
}

// MARK: - The store

extension LiveScreen {
  private func open(_ state: ScreenState) throws {
    let store = try LiveStore(options.store, style: options.style)
    let view = try ListView(store, state.content ?? options.content, options: options)
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
    try restore(state, in: view)
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
    if continueAsNewVersion(after: &failure, handing: self.state(of: view)) { return }
    view.store.close()
    wait(for: failure, keeping: state(of: view))
  }

  /// - Parameter state: as it is when the newer version is executed.
  private func continueAsNewVersion(
    after failure: inout Failure, handing state: @autoclosure @escaping @MainActor () -> ScreenState
  ) -> Bool {
    ProgramReplacement.current.execute(
      after: &failure, handing: state().shortened, preparing: { self.terminal.leave() },
      onFailure: { failure in
        self.own(self.terminal.enter())
        self.wait(for: failure, keeping: state())
      })
  }

  /// Shows the failure until the store can be read.
  private func wait(for failure: Failure, keeping state: ScreenState) {
    // A text that is being typed cannot be saved now, and the keys of its rest must do nothing else.
    showInterrupted(state.prompt?.text ?? state.interrupted)
    (list, views, prompt, notePrompt, viewPrompt) = (.failure(failure), [], nil, nil, nil)
    var state = state
    (state.prompt, state.interrupted) = (nil, nil)
    waitForStore(state)
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
  private func waitForStore(_ state: ScreenState) {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now(), repeating: .seconds(1), leeway: .milliseconds(200))
    timer.setEventHandler {
      MainActor.assumeIsolated {
        guard (try? self.options.store.location().hasStore) == true else { return }
        do {
          try self.open(state)
          timer.cancel()
          self.fetchRest()
        } catch {
          var failure = error as? Failure ?? Failure(.storeUnavailable, "\(error)")
          if self.continueAsNewVersion(after: &failure, handing: self.waiting(state)) { return timer.cancel() }
          self.list = .failure(failure)
        }
        self.draw()
      }
    }
    timer.activate()
  }
}
