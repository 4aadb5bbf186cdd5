import CoreData
import Foundation

/// Measures the memory of an insertion, in a process in which nothing else runs.
enum MemoryProbe {
  /// Prints how many bytes per object the process grew before the save, and at most during it.
  static func insert(_ count: Int, _ context: NSManagedObjectContext) throws {
    // The first save loads code, and creates objects that later saves reuse.
    fill(200, context)
    try context.performAndWait { try context.save() }
    let start = kilobytes("VmRSS")
    fill(count, context)
    let before = kilobytes("VmRSS")
    try context.performAndWait { try context.save() }
    StoreProbe.printLine("\((before - start) * 1_024 / count) \((kilobytes("VmHWM") - start) * 1_024 / count)")
  }

  private static func fill(_ count: Int, _ context: NSManagedObjectContext) {
    context.performAndWait {
      for number in 0..<count {
        let event = NSEntityDescription.insertNewObject(forEntityName: "Event", into: context)
        event.setValue(number, forKey: "number")
      }
    }
  }

  /// See proc_pid_status(5).
  private static func kilobytes(_ name: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
