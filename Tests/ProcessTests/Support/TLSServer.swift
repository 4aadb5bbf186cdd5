import Foundation
import Testing

/// A TLS server on the loopback interface, which the `openssl` program provides. It responds to a path with the file of
/// that name in its folder, which contains the whole response.
struct TLSServer {
  private static let program = URL(fileURLWithPath: "/usr/bin/env")
  /// Whether the `openssl` program is installed.
  static let isAvailable = access("/usr/bin/openssl", X_OK) == 0

  let base: String
  private let process: Program

  /// - Parameter certificate: The name of a certificate that `makeCertificate` created.
  init(_ certificate: String, in folder: Home) throws {
    process = try Program(
      "openssl",
      [
        "-C", folder.url.path, "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "\(certificate).pem", "-key",
        "\(certificate).key", "-HTTP",
      ], home: folder.url, file: Self.program)
    let address = { (lines: [String]) in lines.first { $0.hasPrefix("ACCEPT ") }?.dropFirst(7) }
    #expect(process.wait { address($0) != nil }, "\(process.lines) \(process.errorText)")
    base = "https://\(try #require(address(process.lines)))"
  }

  /// Creates an authority in a folder, as `authority.pem`.
  static func makeAuthority(in folder: Home) throws {
    try request("authority", ["-x509", "-subj", "/CN=authority"], in: folder)
  }

  /// Creates a certificate for a host, as `name.pem` and `name.key`.
  ///
  /// - Parameters:
  ///   - host: An address such as `IP:127.0.0.1`.
  ///   - days: The number of days until it expires, negative if it has expired.
  ///   - isTrusted: Whether the authority signs it, and not the host itself.
  static func makeCertificate(
    _ name: String, host: String = "IP:127.0.0.1", days: Int = 2, isTrusted: Bool = true, in folder: Home
  ) throws {
    let subject = ["-subj", "/CN=host", "-addext", "subjectAltName=\(host)"]
    guard isTrusted else { return try request(name, ["-x509"] + subject, in: folder) }
    try request(name, subject, in: folder)
    try run(
      [
        "x509", "-req", "-in", "\(name).pem", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial",
        "-copy_extensions", "copy", "-days", "\(days)", "-out", "\(name).pem",
      ], in: folder)
  }

  private static func request(_ name: String, _ options: [String], in folder: Home) throws {
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "\(name).key"]
    try run(["req"] + key + options + ["-out", "\(name).pem"], in: folder)
  }

  private static func run(_ arguments: [String], in folder: Home) throws {
    let run = try Program(
      "openssl", ["-C", folder.url.path, "openssl"] + arguments, home: folder.url, file: program)
    #expect(run.status() == 0, "\(arguments): \(run.errorText)")
  }
}
