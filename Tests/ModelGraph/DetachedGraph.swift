/// The objects that are in no context, with their relationships as they were set: nothing keeps the two sides equal before an
/// insertion.
struct DetachedGraph {
  var records: [Int: PlainGraph.Record] = [:]

  /// One side of a relationship that was set, in the direction that has the first name of the two.
  private struct Pair: Hashable {
    let relationship: String
    let from: Int
    let to: Int
    let isFromToOne: Bool
    let isToToOne: Bool

    init(_ kind: Kind, _ link: Link, _ key: Int, _ target: Int) {
      let back = link.inverse.map(link.destination.link)
      let (own, other) = ("\(kind).\(link.name)", back.map { "\(link.destination).\($0.name)" } ?? "")
      // A to-one relationship without an inverse is many-to-one.
      let ends = (key, target, !link.isToMany, back.map { !$0.isToMany } ?? false)
      let isForward = back == nil || own < other
      relationship = isForward ? own : other
      (from, to, isFromToOne, isToToOne) = isForward ? ends : (ends.1, ends.0, ends.3, ends.2)
    }
  }

  private func pairs(except edited: Int, _ name: String) -> Set<Pair> {
    Set(
      records.flatMap { key, record in
        record.links.flatMap { linkName, targets in
          key == edited && linkName == name
            ? [] : targets.map { Pair(record.kind, record.kind.link(linkName), key, $0) }
        }
      })
  }

  /// Whether objects with these targets can be inserted in any order with the same result.
  func canSet(_ link: Link, of key: Int, to targets: [Int]) -> Bool {
    guard let kind = records[key]?.kind else { return false }
    let all = pairs(except: key, link.name).union(targets.map { Pair(kind, link, key, $0) })
    let ends = all.flatMap { pair in
      (pair.isFromToOne ? ["\(pair.relationship) from \(pair.from)"] : [])
        + (pair.isToToOne ? ["\(pair.relationship) to \(pair.to)"] : [])
    }
    return Set(ends).count == ends.count
  }

  /// The object and the detached ones that its relationships lead to.
  func reach(from key: Int) -> [Int] {
    var (found, open) = ([Int](), [key])
    while let next = open.popLast() {
      guard let record = records[next], !found.contains(next) else { continue }
      found.append(next)
      open += record.links.values.joined()
    }
    return found
  }

  /// Moves an object, and those that it leads to, into a graph.
  ///
  /// - Returns: the keys of the objects.
  mutating func insert(_ key: Int, into graph: inout PlainGraph) -> [Int] {
    let keys = reach(from: key)
    for key in keys { graph.records[key] = records[key]?.alone }
    for key in keys {
      for (name, targets) in records[key]?.links ?? [:] { for target in targets { graph.join(name, of: key, target) } }
    }
    for key in keys { records[key] = nil }
    return keys
  }
}
