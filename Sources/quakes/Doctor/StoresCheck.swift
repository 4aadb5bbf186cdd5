import CoreData
import Foundation
import StrataQuakes
import StrataSystemChecks

/// Whether the stores can be read as a whole, and how they are kept up to date.
struct StoresCheck {
  let location: StoreLocation
  let now: Date

  var findings: [Finding] {
    guard location.hasStore else {
      return [Finding("store", .fail, Failure.noStore(location)), personal(nil), reference(nil)]
    }
    do throws(Failure) {
      let container = try QuakesContainer.open(location, for: .reading)
      return [
        Finding("store", .ok, "\(location.shownStore) opens\(size)"), contents(container),
        personal(container), reference(container), worker(container),
      ] + feeds(container)
    } catch {
      return [Finding("store", .fail, error), personal(nil), reference(nil)]
    }
  }

  private var size: String {
    var status = stat()
    guard location.serverURL == nil, stat(location.storeURL.path, &status) == 0 else { return "" }
    return String(format: " (%.1f MB)", Double(status.st_size) / 1_000_000)
  }

  /// Reads each earthquake and its history.
  private func contents(_ container: QuakesContainer) -> Finding {
    read(container, "contents") { context in
      var (quakes, states, nameless) = (0, 0, 0)
      let request: NSFetchRequest<Quake> = Quake.fetchRequest()
      request.relationshipKeyPathsForPrefetching = ["revisions"]
      try Quake.forEach(request, in: context) { quake in
        let history = quake.history
        (quakes, states) = (quakes + 1, states + history.count)
        if (quake.identifier ?? "").isEmpty || quake.time == nil { nameless += 1 }
        return true
      }
      guard nameless == 0 else {
        return Finding(
          "contents", .fail, "\(nameless) of \(quakes) earthquakes have no ID or time",
          advice: "move \(location.shownStore) away and run \"quakes-fetch --once all_month\"")
      }
      return Finding(
        "contents", .ok, "all can be read: \(CountText.of(quakes, "earthquake")) with \(CountText.of(states, "state"))")
    }
  }

  private func personal(_ container: QuakesContainer?) -> Finding {
    guard location.hasPersonal else { return Finding("personal", .ok, "no places, marks or alerts yet") }
    do throws(Failure) {
      let container = container ?? QuakesContainer(name: StoreLocation.storeName)
      try container.addPersonal(location, for: .reading)
      return read(container, "personal") { context in
        func count(_ entity: String) throws -> Int {
          try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
        }
        let (places, marks, alerts) = (try count("Place"), try count("Mark"), try count("AlertRule"))
        if alerts > 0, let refusal = location.alertRefusal { return Finding("personal", .fail, refusal) }
        let text =
          "\(CountText.of(places, "place")), \(CountText.of(marks, "mark")) and \(CountText.of(alerts, "alert"))"
        return Finding("personal", .ok, "\(location.personalURL.path) has \(text)")
      }
    } catch {
      return Finding("personal", .fail, error)
    }
  }

  private func reference(_ container: QuakesContainer?) -> Finding {
    guard let reference = ReferenceLocation.find() else {
      return Finding(
        "reference", .warn, "the Reference store does not exist, so cities, regions and coastlines are unavailable",
        advice: "build it with \"sh Shared/Reference/build.sh FOLDER\"")
    }
    do throws(Failure) {
      let container = container ?? QuakesContainer(name: StoreLocation.storeName)
      try container.addReference(reference)
      return read(container, "reference") { context in
        let cities = try context.count(for: City.fetchRequest())
        guard let regions = try RegionTable(reference)?.entries.count else {
          return Finding(
            "reference", .warn, "\(reference.url.path) has \(cities) cities, but no regions",
            advice: "rebuild it with \"sh Shared/Reference/build.sh FOLDER\"")
        }
        return Finding("reference", .ok, "\(reference.url.path) has \(cities) cities and \(regions) regions")
      }
    } catch {
      return Finding("reference", .warn, error)
    }
  }

  private func read(
    _ container: QuakesContainer, _ name: String, _ body: (NSManagedObjectContext) throws -> Finding
  ) -> Finding {
    let context = container.newBackgroundContext()
    do {
      return try context.performAndWait { try body(context) }
    } catch {
      return Finding(name, .fail, Failure.reading(location, error: error))
    }
  }
}

// MARK: - How it is kept up to date

extension StoresCheck {
  /// A store that is fetched by a timer has news at least as often.
  private static let maximumSilence: TimeInterval = 3600

  private func worker(_ container: QuakesContainer) -> Finding {
    let unit = Self.unit.map { "; its unit is \($0)" } ?? ""
    do throws(Failure) {
      if let process = try WorkerFile(for: location).runningProcess() {
        return Finding("worker", .ok, "quakes-fetch is running (process \(process))\(unit)")
      }
    } catch {
      return Finding("worker", .fail, error)
    }
    let start = Self.unit == nil ? "quakes workers start" : "systemctl --user start quakes-fetch"
    if let process = try? WorkerFile(for: location).deadProcess() {
      return Finding("worker", .warn, "quakes-fetch died (process \(process))\(unit)", advice: "run \"\(start)\"")
    }
    return read(container, "worker") { context in
      let health = try FetchHealth(in: context, of: location)
      guard let reason = health.staleReason(at: now, after: Self.maximumSilence) else {
        return Finding("worker", .ok, "quakes-fetch is not running now, and was not long ago\(unit)")
      }
      return Finding("worker", .warn, "\(reason)\(unit)", advice: "run \"\(start)\"")
    }
  }

  /// The unit of systemd, if there is one.
  private static var unit: String? { ServiceManager.file(of: WorkerUnits.serviceName)?.path }

  private func feeds(_ container: QuakesContainer) -> [Finding] {
    var found: [Finding] = []
    let failure = read(container, "feeds") { context in
      let all = try context.fetch(Feed.all())
      let feeds = all.filter { !$0.isImport }
      for feed in feeds where feed.failingSince != nil {
        found.append(
          Finding("feed", .warn, feed.stateText(at: now), advice: "\"quakes workers status\" shows if it comes back"))
      }
      let imports = Feed.importsText(all, at: now)
      if feeds.isEmpty, let imports { return Finding("feeds", .ok, "none; \(imports)") }
      if feeds.isEmpty {
        return Finding("feeds", .warn, "nothing was fetched yet", advice: "run \"quakes workers start\"")
      }
      let count = CountText.of(feeds.count, "feed")
      let rest = imports.map { "; \($0)" } ?? ""
      return found.isEmpty
        ? Finding("feeds", .ok, "\(count), none failing\(rest)")
        : Finding("feeds", .warn, "\(count), \(found.count) failing\(rest)")
    }
    return [failure] + found
  }
}
