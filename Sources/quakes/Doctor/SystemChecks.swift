import Foundation
import StrataQuakes

/// Whether the system notifies of commits, by inotify(7).
struct InotifyCheck {
  let folder: URL

  var finding: Finding {
    let limits = ["max_user_instances", "max_user_watches"].map { name in
      let text = try? String(contentsOfFile: "/proc/sys/fs/inotify/\(name)", encoding: .utf8)
      return "\(name) \(text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown")"
    }
    .joined(separator: ", ")
    let advice = "raise fs.inotify.max_user_instances or max_user_watches with sysctl, or end programs that watch files"
    let descriptor = inotify_init1(Int32(IN_CLOEXEC))
    guard descriptor >= 0 else {
      return Finding(
        "inotify", .warn, "no inotify instance is left to watch the store: \(Failure.systemError()) (\(limits))",
        advice: advice)
    }
    defer { close(descriptor) }
    guard inotify_add_watch(descriptor, folder.path, UInt32(IN_MODIFY)) >= 0 else {
      return Finding(
        "inotify", .warn, "cannot watch \(folder.path): \(Failure.systemError()) (\(limits))",
        advice: errno == ENOENT ? nil : advice)
    }
    return Finding("inotify", .ok, "the store can be watched (\(limits))")
  }
}

/// Whether the terminal shows what is printed.
struct TerminalCheck {
  let terminal: Terminal

  var finding: Finding {
    guard terminal.isTerminal else { return Finding("terminal", .ok, "not a terminal") }
    let locale = Environment.localeName
    let kind = Environment.variable("TERM") ?? ""
    let size = "\(terminal.columns ?? 0) by \(terminal.rows ?? 0)"
    let text = "\(kind.isEmpty ? "no TERM" : kind), \(size), \(terminal.hasColor ? "colors" : "no colors")"
    guard Environment.isLocaleUTF8 else {
      return Finding(
        "terminal", .warn, "\(text); the output is UTF-8, but the locale \"\(locale)\" is not",
        advice: "set LANG to a locale such as C.UTF-8")
    }
    guard let columns = terminal.columns, columns >= 62 else {
      return Finding("terminal", .warn, "\(text): lists need 62 columns to show IDs", advice: "make it wider")
    }
    return Finding("terminal", .ok, "\(text), \(locale)")
  }
}

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
