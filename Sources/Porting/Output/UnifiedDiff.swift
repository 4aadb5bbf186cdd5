/// The difference between two texts in the unified format.
package struct UnifiedDiff {
  private let old: [ArraySlice<UInt8>]
  private let new: [ArraySlice<UInt8>]
  private static let context = 3

  /// A run of lines that differ.
  private struct Block {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// Returns the bytes of the diff; none if the texts are equal.
  package static func bytes(from old: [UInt8], to new: [UInt8], path: String) -> [UInt8] {
    guard old != new else { return [] }
    let diff = UnifiedDiff(old: lines(old), new: lines(new))
    // A tab ends a name with spaces.
    let end = path.contains(" ") ? "\t\n" : "\n"
    return Array("--- a/\(path)\(end)+++ b/\(path)\(end)".utf8) + diff.hunks().flatMap { diff.text(of: $0) }
  }

  /// The lines with their endings.
  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
      lines.append(bytes[start..<end])
      start = end
    }
    return lines
  }

  // MARK: Blocks

  private func blocks() -> [Block] {
    let difference = new.map(Array.init).difference(from: old.map(Array.init))
    let removed = Set(difference.removals.map { if case .remove(let offset, _, _) = $0 { offset } else { 0 } })
    let inserted = Set(difference.insertions.map { if case .insert(let offset, _, _) = $0 { offset } else { 0 } })
    var blocks: [Block] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      let (oldStart, newStart) = (left, right)
      while removed.contains(left) { left += 1 }
      while inserted.contains(right) { right += 1 }
      if left > oldStart || right > newStart {
        blocks.append(Block(old: oldStart..<left, new: newStart..<right))
      } else {
        left += 1
        right += 1
      }
    }
    return blocks
  }

  /// The blocks, grouped where the lines between them would be printed anyway.
  private func hunks() -> [[Block]] {
    var hunks: [[Block]] = []
    for block in blocks() {
      if let last = hunks.last?.last, block.old.lowerBound - last.old.upperBound <= 2 * Self.context {
        hunks[hunks.count - 1].append(block)
      } else {
        hunks.append([block])
      }
    }
    return hunks
  }

  // MARK: Text

  private func text(of hunk: [Block]) -> [UInt8] {
    guard let first = hunk.first, let last = hunk.last else { return [] }
    let before = min(Self.context, first.old.lowerBound)
    let after = min(Self.context, old.count - last.old.upperBound)
    let oldRange = first.old.lowerBound - before..<last.old.upperBound + after
    let newRange = first.new.lowerBound - before..<last.new.upperBound + after
    var bytes = Array("@@ -\(Self.header(oldRange)) +\(Self.header(newRange)) @@\n".utf8)
    var position = oldRange.lowerBound
    for block in hunk {
      bytes += old[position..<block.old.lowerBound].flatMap { Self.line(" ", $0) }
      bytes += old[block.old].flatMap { Self.line("-", $0) }
      bytes += new[block.new].flatMap { Self.line("+", $0) }
      position = block.old.upperBound
    }
    return bytes + old[position..<oldRange.upperBound].flatMap { Self.line(" ", $0) }
  }

  private static func header(_ range: Range<Int>) -> String {
    range.isEmpty ? "\(range.lowerBound),0" : "\(range.lowerBound + 1),\(range.count)"
  }

  private static func line(_ mark: Unicode.Scalar, _ line: ArraySlice<UInt8>) -> [UInt8] {
    [UInt8(ascii: mark)] + line
      + (line.last == UInt8(ascii: "\n") ? [] : Array("\n\\ No newline at end of file\n".utf8))
  }
}
