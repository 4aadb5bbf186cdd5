import Foundation
import StrataQuakes
import StrataSystemChecks

/// Whether the other programs are where they are looked for.
struct ProgramCheck {
  var findings: [Finding] {
    [
      Finding("version", .ok, "quakes \(QuakesVersion.text)"), check("quakes-fetch", .fail),
      check("quakes-summary", .warn),
    ]
  }

  /// - Parameter missing: how bad it is if it is not there.
  private func check(_ name: String, _ missing: Finding.State) -> Finding {
    do throws(Failure) {
      let path = try SiblingProgram.path(name)
      guard let version = try version(of: path) else {
        return Finding(name, missing, "\(path) is not executable", advice: "install it again")
      }
      return version == QuakesVersion.text
        ? Finding(name, .ok, "\(path) (\(version))")
        : Finding(
          name, .warn, "\(path) has version \(version), but quakes has \(QuakesVersion.text)",
          advice: "install all programs in the same version")
    } catch {
      return Finding(name, missing, error)
    }
  }

  /// The first line that it prints of itself; nil if it prints none.
  ///
  /// - Throws: `Failure` if it cannot be started.
  private func version(of path: String) throws(Failure) -> String? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Self.unstartable(path, errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    var spawn = Spawn.detached(path, arguments: [path, "--version"])
    spawn.streams += [(STDOUT_FILENO, .copy(ends[1])), (STDERR_FILENO, .nothing)]
    let process: pid_t
    do throws(Spawn.SpawnError) {
      defer { close(ends[1]) }
      process = try spawn.start()
    } catch {
      throw Self.unstartable(path, error.code)
    }
    let data = (try? output.readToEnd()) ?? Data()
    guard Spawn.wait(for: process) == 0 else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }

  private static func unstartable(_ path: String, _ code: Int32) -> Failure {
    Failure(.programFailed, "cannot run \(path): \(Failure.systemError(code))")
  }
}
