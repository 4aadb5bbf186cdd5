import CoreData
import Dispatch
import Foundation
import StrataQuakes

/// Prints the line again whenever it changes: after commits of other processes, and at full minutes, when ages change.
@MainActor
final class SummaryFollower {
  private let location: StoreLocation
  private let minimumMagnitude: Double?
  private var container: QuakesContainer?
  private var observer: (any NSObjectProtocol)?
  private var timer: (any DispatchSourceTimer)?
  private var isUpdatePlanned = false
  private var printed: String?

  init(_ location: StoreLocation, minimumMagnitude: Double?) {
    (self.location, self.minimumMagnitude) = (location, minimumMagnitude)
  }

  /// Prints until the reader closes the pipe or a signal ends the process. The follower lives as long as the process.
  func begin() {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(wallDeadline: .now() + Age.secondsToNextMinute(Date()), repeating: 60, leeway: .milliseconds(500))
    timer.setEventHandler { MainActor.assumeIsolated { self.update() } }
    timer.activate()
    self.timer = timer
    update()
  }

  private func update() {
    isUpdatePlanned = false
    do throws(Failure) {
      try openStore()
      try printLine()
    } catch {
      StandardStream.error.line("quakes-summary: \(error.message)")
      exit(error.status.rawValue)
    }
  }

  /// Checks for a missing store at each full minute.
  private func openStore() throws(Failure) {
    guard container == nil, location.hasStore else { return }
    let opened = try QuakesContainer.open(location, for: .reading)
    let context = opened.viewContext
    context.automaticallyMergesChangesFromParent = true
    observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { _ in
      MainActor.assumeIsolated { self.planUpdate() }
    }
    container = opened
  }

  /// Coalesces the changes of one run loop turn into one line.
  private func planUpdate() {
    guard !isUpdatePlanned else { return }
    isUpdatePlanned = true
    DispatchQueue.main.async { MainActor.assumeIsolated { self.update() } }
  }

  private func printLine() throws(Failure) {
    let line = try currentLine()
    guard line != printed else { return }
    printed = line
    // The reader is gone: the bar was closed.
    if !StandardStream.output.line(OutputText(line)) { exit(ExitStatus.ok.rawValue) }
  }

  private func currentLine() throws(Failure) -> String {
    guard let context = container?.viewContext else { return SummaryLine.noQuakes }
    do {
      return try SummaryLine.text(in: context, minimumMagnitude: minimumMagnitude, now: Date())
    } catch {
      throw Failure.reading(location, error: error)
    }
  }
}
