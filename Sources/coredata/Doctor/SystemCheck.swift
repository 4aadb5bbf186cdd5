import Foundation
import StrataSQLiteEngine
import StrataSystemChecks

/// The libraries and the system that the program runs on.
struct SystemCheck {
  var findings: [Finding] { [kernel, sqlite] + options + [runtime, descriptors, timeZone, locale] + inotifyTools }

  private var kernel: Finding {
    var names = utsname()
    uname(&names)
    func text<T>(_ field: T) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return Finding("system", .ok, "\(text(names.sysname)) \(text(names.release)), \(text(names.machine))")
  }

  /// The first version with pragma_table_list.
  private static let oldestSQLite: Int32 = 3_037_000

  private var sqlite: Finding {
    let text = "SQLite \(SQLiteLibrary.version) (\(Self.library("libsqlite3")))"
    return SQLiteLibrary.versionNumber < Self.oldestSQLite
      ? Finding("sqlite", .fail, text, advice: "install libsqlite3 3.37 or newer")
      : Finding("sqlite", .ok, text)
  }

  private var options: [Finding] {
    var findings: [Finding] = []
    if SQLiteLibrary.threadSafety == 0 {
      findings.append(
        Finding(
          "sqlite options", .fail, "built for a single thread", advice: "install one with THREADSAFE=1 or 2"))
    }
    if SQLiteLibrary.hasOption("OMIT_WAL") {
      findings.append(
        Finding("sqlite options", .fail, "built without write-ahead logs", advice: "install one without OMIT_WAL")
      )
    }
    if !SQLiteLibrary.hasOption("ENABLE_RTREE") {
      findings.append(
        Finding(
          "sqlite options", .warn, "built without R-trees, which spatial indexes need",
          advice: "install one with ENABLE_RTREE"))
    }
    let thread = "THREADSAFE=\(SQLiteLibrary.threadSafety)"
    return findings.isEmpty ? [Finding("sqlite options", .ok, "\(thread), write-ahead logs, R-trees")] : findings
  }

  private var runtime: Finding { Finding("swift runtime", .ok, Self.library("libswiftCore")) }

  /// The file of a library of this process.
  static func library(_ name: String) -> String {
    let maps = ProcFile.text("/proc/self/maps") ?? ""
    let line = maps.split(separator: "\n").first { $0.contains("/\(name).so") }
    return line?.split(separator: " ").last.map(String.init) ?? "linked into the program"
  }

  private var inotifyTools: [Finding] {
    #if InotifyTools
    [Finding("libinotifytools", .ok, Self.library("libinotifytools"))]
    #else
    []
    #endif
  }

  /// A store takes about ten, and a file of many large data one more each while they are written.
  private static let fewDescriptors = 256

  private var descriptors: Finding {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let text = "at most \(limit.rlim_cur) open files"
    return limit.rlim_cur < Self.fewDescriptors
      ? Finding("files", .warn, text, advice: "raise it with ulimit -n") : Finding("files", .ok, text)
  }

  private var timeZone: Finding {
    let name = TimeZone.current.identifier
    guard FileManager.default.fileExists(atPath: "/usr/share/zoneinfo") else {
      return Finding(
        "time zone", .warn, "\(name); time zone data is missing. Stores keep dates in UTC and are unaffected",
        advice: "install tzdata if the program shows local times")
    }
    return Finding("time zone", .ok, name)
  }

  private var locale: Finding {
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"]
    let name = variables.compactMap { ProcessInfo.processInfo.environment[$0] }.first { !$0.isEmpty } ?? "C"
    guard name.uppercased().contains("UTF-8") || name.uppercased().contains("UTF8") else {
      return Finding(
        "locale", .warn, "\(name); output is UTF-8 regardless, and stores do not depend on it",
        advice: "set LANG to a UTF-8 locale such as C.UTF-8")
    }
    return Finding("locale", .ok, name)
  }
}
