import BenchmarkEvents
import Foundation

// benchmark-start PROGRAMS [SIZE]...
//
// Measures the run time and memory of quakes-summary and quakes list, compared with a C program and python3 printing
// the same line. PROGRAMS is the folder of the built programs. Cold means with the system's caches dropped, which
// requires root.

let python = """
  import sqlite3, sys, time
  store = sqlite3.connect(sys.argv[1])
  magnitude, place, at = store.execute('SELECT ZMAGNITUDE, ZPLACE, ZTIME FROM ZQUAKE ORDER BY ZTIME DESC LIMIT 1').fetchone()
  now = time.time()
  day = time.mktime(time.localtime(now)[:3] + (0, 0, 0, 0, 0, -1)) - 978307200
  today = store.execute('SELECT COUNT(*) FROM ZQUAKE WHERE ZTIME >= ?', (day,)).fetchone()[0]
  print(f'M {magnitude} {place} {int(now - 978307200 - at) // 60} min ago \\u00b7 {today} today')
  """
guard CommandLine.arguments.count >= 2 else { fatalError("Usage: benchmark-start PROGRAMS [SIZE]...") }
let programs = URL(fileURLWithPath: CommandLine.arguments[1])
let sizes = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
let own = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("benchmark-start-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

for size in sizes.isEmpty ? [20_000] : sizes {
  let store = folder.appendingPathComponent(String(size)).path
  let feed = folder.appendingPathComponent("feed.geojson")
  for first in stride(from: 0, to: size, by: 50_000) {
    try Feed.geoJSON(first..<min(first + 50_000, size), of: size).write(to: feed)
    _ = try Launch([programs.appendingPathComponent("quakes-fetch").path, "--once", feed.path, "--store", store])
  }
  let file = store + "/Quakes.sqlite"
  let contenders = [
    ("C", [own.appendingPathComponent("benchmark-start-c").path, file]),
    ("quakes-summary", [programs.appendingPathComponent("quakes-summary").path, "--store", store]),
    ("quakes list", [programs.appendingPathComponent("quakes").path, "list", "--store", store]),
    ("python3", ["/usr/bin/env", "python3", "-c", python, file]),
  ]
  try Table(size: size, contenders: contenders).print()
}
