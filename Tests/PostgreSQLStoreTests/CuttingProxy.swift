import Foundation
import Glibc
import Synchronization

/// A proxy between clients and a PostgreSQL server that cuts the connection which sends the next COMMIT.
final class CuttingProxy: Sendable {
  enum Cut {
    /// The server gets the COMMIT, but the client gets no response.
    case response
    /// The server does not get the COMMIT, and notices the loss.
    case request
    /// The server gets the COMMIT a second after the client has lost the connection, without noticing the loss.
    case late
  }

  private let listener: Int32
  private let server: String
  private let next = Mutex<Cut?>(nil)
  /// The folder of the socket.
  let folder: String

  init(before server: String) throws {
    var template = Array("/tmp/strata-proxy-XXXXXX\u{0}".utf8CString)
    guard let made = mkdtemp(&template) else { throw POSIXError(.EIO) }
    folder = String(cString: made)
    self.server = server
    listener = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let path = "\(folder)/.s.PGSQL.5432"
    guard Self.withAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 else {
      throw POSIXError(.EIO)
    }
    Thread.detachNewThread { [self] in accept() }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Closes the socket, so that no client can connect any more.
  func close() {
    shutdown(listener, Int32(SHUT_RDWR))
    try? FileManager.default.removeItem(atPath: folder)
  }

  func cutNextCommit(_ cut: Cut) { next.withLock { $0 = cut } }

  private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  private func accept() {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { return }
      let server = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      guard Self.withAddress(self.server, { connect(server, $0, $1) }) == 0 else {
        Glibc.close(server)
        Glibc.close(client)
        continue
      }
      let isMute = SharedFlag()
      Thread.detachNewThread { [self] in forwardRequests(from: client, to: server, isMute) }
      Thread.detachNewThread { Self.forwardResponses(from: server, to: client, isMute) }
    }
  }

  private final class SharedFlag: Sendable { let isSet = Atomic(false) }

  /// The statement "COMMIT", but not "READ COMMITTED"; or a statement that commits implicitly: its text, or the name
  /// under which it was prepared.
  private static let commits = ["COMMIT\u{0}", "UPDATE strata_counter", "\u{0}commit"].map { Data($0.utf8) }

  private func forwardRequests(from client: Int32, to server: Int32, _ isMute: SharedFlag) {
    while let data = Self.read(client) {
      let isCommit = Self.commits.contains { data.range(of: $0) != nil }
      let cut = isCommit ? next.withLock { $0.take() } : nil
      switch cut {
      case nil: Self.write(data, server)
      case .response:
        isMute.isSet.store(true, ordering: .sequentiallyConsistent)
        Self.write(data, server)
      case .request:
        shutdown(client, Int32(SHUT_RDWR))
      case .late:
        isMute.isSet.store(true, ordering: .sequentiallyConsistent)
        shutdown(client, Int32(SHUT_RDWR))
        usleep(1_000_000)
        Self.write(data, server)
        usleep(500_000)
      }
    }
    shutdown(server, Int32(SHUT_RDWR))
  }

  private static func forwardResponses(from server: Int32, to client: Int32, _ isMute: SharedFlag) {
    while let data = read(server) {
      if isMute.isSet.load(ordering: .sequentiallyConsistent) { break }
      write(data, client)
    }
    shutdown(client, Int32(SHUT_RDWR))
  }

  private static func read(_ descriptor: Int32) -> Data? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return count > 0 ? Data(bytes.prefix(count)) : nil
  }

  private static func write(_ data: Data, _ descriptor: Int32) {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
