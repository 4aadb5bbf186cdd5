import CoreData
import Foundation
import GRDB
import NeighborFacts

// together FACTS: uses a store, and compares the process with the facts that `alone` printed. The exit status is 1 if
// anything differs.

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("neighbor-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

let comparison = try Comparison(with: URL(fileURLWithPath: CommandLine.arguments[1]), in: folder)
try comparison.compare("when the program starts")

let store = SharedStore(in: folder)
try store.open()
try comparison.compare("while a store is open")
try store.save(1)
try comparison.compare("after a save")
try store.exchangeRows()
try comparison.compare("after GRDB used the store's file")
let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n")
comparison.check("the store's file is not mapped", !maps.contains { $0.hasSuffix("/Store.sqlite") })
try store.close()
try comparison.compare("after the store is closed")

try? FileManager.default.removeItem(at: folder)
exit(comparison.failures == 0 ? 0 : 1)
