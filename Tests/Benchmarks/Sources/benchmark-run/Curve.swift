import Foundation

/// The growth of each workload's cost with the size of the store.
struct Curve {
  let rows: [Row]
  let comparison: Comparison

  func print() {
    let sizes = rows.reduce(into: [Int]()) { if !$0.contains($1.rows) { $0.append($1.rows) } }
    let titles = comparison.contenders.map(\.title)
    Swift.print("CPU ms at \(sizes.map { $0.formatted() }.joined(separator: ", ")) rows")
    for work in Workload.all where work.measure == .cpu {
      let ofWork = rows.filter { $0.work == work.name }
      guard !ofWork.isEmpty else { continue }
      let columns = titles.map { title in
        title + " " + ofWork.map { String(format: "%.1f", $0.cpu[title] ?? 0) }.joined(separator: " ")
      }
      Swift.print(work.title.padding(toLength: 35, withPad: " ", startingAt: 0) + columns.joined(separator: "   "))
    }
  }
}
