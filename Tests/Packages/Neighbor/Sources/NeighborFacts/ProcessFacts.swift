import Foundation

/// The state that a library can change for a whole process, as text by name.
public enum ProcessFacts {
  public static func current() -> [String: String] {
    var facts: [String: String] = [:]
    for signal in 1...64 { facts["signal \(signal)"] = disposition(of: Int32(signal)) }
    for line in (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? [] {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, status.contains(String(parts[0])) { facts["status \(parts[0])"] = String(parts[1]) }
    }
    for resource in 0..<16 {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(UInt32(resource)), &limit)
      facts["limit \(resource)"] = "\(limit.rlim_cur) of \(limit.rlim_max)"
    }
    // Some shells set _ to the path of the program.
    for (name, value) in ProcessInfo.processInfo.environment where name != "_" { facts["environment \(name)"] = value }
    facts["locale"] = setlocale(LC_ALL, nil).map { String(cString: $0) } ?? "none"
    facts["folder"] = FileManager.default.currentDirectoryPath
    facts["priority"] = String(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))
    var stack = stack_t()
    sigaltstack(nil, &stack)
    facts["alternate stack"] = "\(stack.ss_flags) \(stack.ss_size)"
    return facts
  }

  /// Lines of proc(5) that a program sets for itself.
  private static let status: Set<String> = [
    "Umask", "SigBlk", "SigIgn", "SigCgt", "NoNewPrivs", "Seccomp", "THP_enabled", "Uid", "Gid", "Groups", "CapEff",
  ]

  private static func disposition(of signal: Int32) -> String {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return "reserved" }
    let handler = withUnsafeBytes(of: &action) { $0.load(as: UInt.self) }
    switch handler {
    case 0: return "default, flags \(action.sa_flags)"
    case 1: return "ignored, flags \(action.sa_flags)"
    default: return "\(location(of: handler)), flags \(action.sa_flags)"
    }
  }

  /// The library and the offset of an address, which two processes share.
  static func location(of address: UInt) -> String {
    guard address != 0 else { return "none" }
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    // The first mapping of each file begins with the file.
    var starts: [Substring: UInt] = [:]
    for line in maps.split(separator: "\n") {
      let parts = line.split(separator: " ", omittingEmptySubsequences: true)
      let ends = parts[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard parts.count >= 6, ends.count == 2 else { continue }
      let start = starts[parts[5], default: ends[0]]
      starts[parts[5]] = start
      guard (ends[0]..<ends[1]).contains(address) else { continue }
      return "\(URL(fileURLWithPath: String(parts[5])).lastPathComponent)+\(String(address - start, radix: 16))"
    }
    return "in no file"
  }
}
