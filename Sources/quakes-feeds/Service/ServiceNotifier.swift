import Foundation
import StrataQuakes

/// Notifies the service manager with datagrams to the socket that `NOTIFY_SOCKET` names (sd_notify(3)); does nothing
/// without one.
public struct ServiceNotifier {
  /// The interval of watchdog notifications: half of the service manager's limit. nil without a watchdog.
  let watchdogInterval: Duration?

  private let address: sockaddr_un?
  private let addressSize: socklen_t
  /// Reused for each datagram; -1 without a socket. Lives as long as the process.
  private let descriptor: Int32

  /// A notifier for the socket and the watchdog of the environment.
  public init(environment: (String) -> String? = Environment.variable) {
    let name = Array((environment("NOTIFY_SOCKET") ?? "").utf8)
    (address, addressSize) = Self.address(name)
    descriptor = address == nil ? -1 : socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let isOurs = environment("WATCHDOG_PID").map { $0 == "\(getpid())" } ?? true
    let limit = environment("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
    watchdogInterval = isOurs && limit > 0 ? .microseconds(limit) / 2 : nil
  }

  /// The service works, or works again after reloading.
  func ready() { send("READY=1") }

  /// - Parameter text: for people; becomes one line.
  func status(_ text: String) { send("STATUS=\(Terminal.printable(text))") }

  func reloading() {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    send("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)")
  }

  func stopping() { send("STOPPING=1") }

  func watchdog() { send("WATCHDOG=1") }

  /// A failure is of no consequence to the service: the manager decides what silence means.
  private func send(_ state: String) {
    guard var address, descriptor >= 0 else { return }
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        _ = sendto(
          descriptor, state, state.utf8.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), pointer,
          addressSize)
      }
    }
  }

  /// A path, or an abstract name, which begins with a zero byte that the variable writes as `@`.
  private static func address(_ name: [UInt8]) -> (sockaddr_un?, size: socklen_t) {
    var address = sockaddr_un()
    guard let first = name.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@"),
      name.count < MemoryLayout.size(ofValue: address.sun_path)
    else { return (nil, 0) }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: name)
      if first == UInt8(ascii: "@") { path[0] = 0 }
    }
    let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    return (address, socklen_t(start + name.count))
  }
}
