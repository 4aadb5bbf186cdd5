import Foundation

/// Two network namespaces with a cable between them, one for the server and one for some of its clients. Requires root.
/// Both end with this process.
final class SoakNetwork {
  struct Failure: Error, CustomStringConvertible { let description: String }

  static let host = "10.213.0.1"

  /// Processes that only keep the namespaces alive.
  let server: pid_t
  let clients: pid_t
  private let inputs = (Pipe(), Pipe())

  init() throws {
    (server, clients) = (try Self.startKeeper(inputs.0), try Self.startKeeper(inputs.1))
    try Self.run(
      """
      ip link add strata0 netns \(server) type veth peer name strata1 netns \(clients)
      nsenter -t \(server) -n ip address add \(Self.host)/24 dev strata0
      nsenter -t \(clients) -n ip address add 10.213.0.2/24 dev strata1
      nsenter -t \(server) -n ip link set strata0 up
      nsenter -t \(clients) -n ip link set strata1 up
      """)
  }

  private static func startKeeper(_ input: Pipe) throws -> pid_t {
    let (keeper, output) = (Process(), Pipe())
    keeper.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    keeper.arguments = ["unshare", "-n", "sh", "-c", "echo ready; read -r line"]
    (keeper.standardInput, keeper.standardOutput) = (input, output)
    try keeper.run()
    guard !output.fileHandleForReading.availableData.isEmpty else {
      throw Failure(description: "Cannot create a network namespace: run the soak as root, or without --cuts.")
    }
    return keeper.processIdentifier
  }

  private static func run(_ script: String) throws {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-ec", script]
    try shell.run()
    shell.waitUntilExit()
    guard shell.terminationStatus == 0 else { throw Failure(description: "This script failed: \(script)") }
  }

  /// Connects or disconnects the cable at the server's end.
  func set(isUp: Bool) {
    try? Self.run("nsenter -t \(server) -n ip link set strata0 \(isUp ? "up" : "down")")
  }
}
