import Foundation
import StrataPostgreSQLServer

/// The PostgreSQL server of a soak, and the network to it.
final class SoakServer: @unchecked Sendable {
  // Sendable: what changes is used by the conductor's thread, except for restarts, which a queue does.

  /// The name of the variable that tells a process the store's URL.
  static let urlKey = "STRATA_SOAK_URL"

  private static let schema = "soak"
  private let server: PostgreSQLServer
  private let network: SoakNetwork?
  private let restarting = DispatchQueue(label: "soak server")
  /// When the network works again, if it does not; in nanoseconds.
  private var cutUntil: Int?
  /// What went wrong; used on the queue.
  private var faults: [String] = []
  let url: URL

  /// - Parameter hasNetwork: whether some processes reach it over a network that can be cut.
  init(hasNetwork: Bool) throws {
    network = hasNetwork ? try SoakNetwork() : nil
    server = try PostgreSQLServer(isDurable: true, network: network.map { ($0.server, SoakNetwork.host) })
    url = server.url(schema: Self.schema)
    setenv(Self.urlKey, url.absoluteString, 1)
  }

  /// Whether a worker is on another host than the server.
  private func isElsewhere(_ slot: Int) -> Bool { network != nil && slot % 2 == 1 }

  /// The URL for a worker.
  func url(slot: Int) -> URL {
    isElsewhere(slot) ? server.url(schema: Self.schema, at: SoakNetwork.host) : url
  }

  /// The words with which a worker is started on its host.
  func command(slot: Int) -> [String] {
    network.map { isElsewhere(slot) ? ["/usr/bin/nsenter", "-t", "\($0.clients)", "-n"] : [] } ?? []
  }

  func rows(_ sql: String) throws -> [[String]] { try server.rows(sql, in: url) }

  func restart(isImmediate: Bool) {
    restarting.async { [self] in
      do {
        try server.restart(isImmediate ? .immediate : .fast)
      } catch {
        faults.append("\(error)")
      }
    }
  }

  /// Ends up to three connections, whatever they are doing.
  func terminate() {
    _ = try? rows(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
      WHERE application_name LIKE 'Core Data%' OR application_name LIKE 'strata%' ORDER BY random() LIMIT 3
      """)
  }

  func cut(seconds: Double, from now: Int) {
    if cutUntil == nil { network?.set(isUp: false) }
    cutUntil = max(cutUntil ?? 0, now + Int(seconds * 1e9))
  }

  /// Ends a cut whose time is over.
  func mend(at now: Int) {
    guard let end = cutUntil, end <= now else { return }
    network?.set(isUp: true)
    cutUntil = nil
  }

  /// Has everything work from here on.
  /// - Returns: what went wrong.
  func settle() -> [String] {
    mend(at: .max)
    return restarting.sync { faults }
  }
}
