import CoreData
import Foundation
import StrataQuakes
import Testing

/// A user's home with alerts that append a line to a file, and feeds of earthquakes that happen now.
final class AlertHome: Sendable {
  struct Event {
    var id: String
    var magnitude: Double? = 6.1
    var place = "Tonga"
    var time = Date()
    var ids: [String] = []
    var position = (latitude: -21.0, longitude: -174.0)
    var depth: Double? = 35
    var type = "earthquake"
    var status = "automatic"
    var url = "https://example.org/event"
  }

  let home: Home
  /// A program that appends `rule|reason|id|magnitude|arguments` to a file.
  let recorder: String

  init() throws {
    home = try Home()
    recorder = home.url.appendingPathComponent("teller").path
    try script(
      "teller",
      "printf '%s|%s|%s|%s|%s\\n' \"$QUAKES_RULE\" \"$QUAKES_REASON\" \"$QUAKES_ID\" \"$QUAKES_MAGNITUDE\" \"$*\" >> '\(home.url.path)/told'"
    )
  }

  @discardableResult
  func script(_ name: String, _ text: String) throws -> String {
    let path = try home.write(name, "#!/bin/sh\n\(text)\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  /// The lines that the recorder has written.
  var recorded: [String] {
    let text = (try? String(contentsOf: home.url.appendingPathComponent("told"), encoding: .utf8)) ?? ""
    return text.components(separatedBy: "\n").dropLast()
  }

  @discardableResult
  func run(
    _ name: String, _ arguments: [String], status: Int32? = 0, variables: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Program {
    let program = try Program(name, arguments, home: home.url, variables: variables)
    let found = program.status()
    if let status { #expect(found == status, "\(arguments): \(program.errorText)", sourceLocation: sourceLocation) }
    return program
  }

  func alert(_ arguments: [String], status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> Program
  {
    try run("quakes", ["alert"] + arguments, status: status, sourceLocation: sourceLocation)
  }

  /// Adds an alert that runs the recorder.
  func addAlert(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    _ = try alert(["add"] + arguments + ["--exec", recorder], sourceLocation: sourceLocation)
  }

  /// Imports a feed once, and waits until all alerts have run.
  @discardableResult
  func fetch(
    _ events: [Event], variables: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Program {
    try run("quakes-fetch", ["--once", try feed(events)], variables: variables, sourceLocation: sourceLocation)
  }

  /// Writes a feed.
  ///
  /// - Returns: The path of the feed.
  func feed(_ events: [Event]) throws -> String {
    let now = Int(Date().timeIntervalSince1970 * 1000)
    let features = try events.map { event in
      let ids = event.ids.isEmpty ? [event.id] : event.ids
      let properties: [String: Any] = [
        "mag": event.magnitude.map { $0 as Any } ?? NSNull(), "place": event.place, "type": event.type,
        "time": Int(event.time.timeIntervalSince1970 * 1000), "updated": now, "status": event.status,
        "net": String(event.id.prefix(2)), "code": String(event.id.dropFirst(2)), "url": event.url,
        "ids": ",\(ids.joined(separator: ",")),",
      ]
      let depth = event.depth.map { $0 as Any } ?? NSNull()
      let feature: [String: Any] = [
        "type": "Feature", "id": event.id, "properties": properties,
        "geometry": ["type": "Point", "coordinates": [event.position.longitude, event.position.latitude, depth]],
      ]
      return String(decoding: try JSONSerialization.data(withJSONObject: feature), as: UTF8.self)
    }
    let text =
      #"{"type":"FeatureCollection","metadata":{"generated":\#(now)},"features":[\#(features.joined(separator: ","))]}"#
    return try home.write("\(UUID().uuidString).geojson", text)
  }

  /// The lines of `quakes alert log`.
  func log() throws -> [String] { try alert(["log"]).lines }

  /// Changes the user's own data.
  func changePersonal(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let folder = home.url.appendingPathComponent("group.quakes")
    let location = StoreLocation(folder: folder, isChosen: true)
    let container = QuakesContainer(name: StoreLocation.storeName)
    try container.addPersonal(location, for: .writing)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      try body(context)
      try context.save()
    }
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
  }
}
