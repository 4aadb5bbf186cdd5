import Foundation
import StrataPostgreSQLServer

/// The PostgreSQL server of a soak, and the network to it.
final class SoakServer: @unchecked Sendable {
  // Sendable: mutable state is used on the conductor's thread, except for `faults`, which the queue uses.

  /// The name of the environment variable with the store's URL.
  static let urlKey = "STRATA_SOAK_URL"

  private static let schema = "soak"
  private let server: PostgreSQLServer
  private let network: SoakNetwork?
  private let restartQueue = DispatchQueue(label: "soak server")
  /// The time when the network works again, in nanoseconds, or nil if it works.
  private var cutUntil: Int?
  /// The errors of restarts. Used on the queue.
  private var faults: [String] = []
  let url: URL

  /// - Parameter hasNetwork: Whether some processes reach it over a network that can be cut.
  init(hasNetwork: Bool) throws {
    network = hasNetwork ? try SoakNetwork() : nil
    server = try PostgreSQLServer(isDurable: true, network: network.map { ($0.server, SoakNetwork.host) })
    url = server.url(schema: Self.schema)
    setenv(Self.urlKey, url.absoluteString, 1)
  }

  /// Whether a worker is on another host than the server.
  private func isOnOtherHost(_ slot: Int) -> Bool { network != nil && slot % 2 == 1 }

  /// The URL for a worker.
  func url(slot: Int) -> URL {
    isOnOtherHost(slot) ? server.url(schema: Self.schema, at: SoakNetwork.host) : url
  }

  /// The command that starts a worker on its host.
  func command(slot: Int) -> [String] {
    network.map { isOnOtherHost(slot) ? ["/usr/bin/nsenter", "-t", "\($0.clients)", "-n"] : [] } ?? []
  }

  func rows(_ sql: String) throws -> [[String]] { try server.rows(sql, in: url) }

  func restart(isImmediate: Bool) {
    restartQueue.async { [self] in
      do {
        try server.restart(isImmediate ? .immediate : .fast)
      } catch {
        faults.append("\(error)")
      }
    }
  }

  /// Terminates up to three connections, regardless of their state.
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

  /// Restores the network once the time of a cut is over.
  func restoreNetwork(at now: Int) {
    guard let end = cutUntil, end <= now else { return }
    network?.set(isUp: true)
    cutUntil = nil
  }

  /// Restores the network, and waits for restarts.
  ///
  /// - Returns: The errors of restarts.
  func endFaults() -> [String] {
    restoreNetwork(at: .max)
    return restartQueue.sync { faults }
  }
}
