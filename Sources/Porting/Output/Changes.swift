/// A replacement of bytes of a source.
struct Edit {
  var range: Range<Int>
  var text: String
}

/// The kinds of changes.
package enum Reason: String, CaseIterable, Sendable {
  case attribute, protocolConstraint, keyPath, selector, missingImport, conditionalImport, request, literal, name
}

/// The edits of one file, and what they leave to people.
struct Changes {
  private(set) var edits: [Edit] = []
  private(set) var remarks: [Remark] = []
  /// The number of places that were rewritten, for each reason.
  private(set) var counts: [Reason: Int] = [:]
  /// Whether an edit adds a name that Linux has in Core Data.
  var needsCoreData = false

  mutating func replace(_ range: Range<Int>, with text: String) { edits.append(Edit(range: range, text: text)) }

  mutating func insert(_ text: String, at offset: Int) { replace(offset..<offset, with: text) }

  mutating func count(_ reason: Reason, _ count: Int = 1) { counts[reason, default: 0] += count }

  /// Adds changes, whose insertions come first where both insert at one place.
  mutating func precede(with other: Changes) {
    edits = other.edits + edits
    remarks = other.remarks + remarks
    counts.merge(other.counts, uniquingKeysWith: +)
  }

  mutating func leave(_ line: Int, _ reason: String, _ section: Remark.Section) {
    remarks.append(Remark(line: line, reason: reason, section: section))
  }
}

/// A place that the tool leaves to people.
package struct Remark: Equatable, Sendable {
  /// A heading of the article on porting.
  package enum Section: String, Sendable {
    case classes = "A class from Xcode"
    case objectiveC = "Objective-C"
    case imports = "Imports"
    case observing = "Key-value observing"
    case requests = "Requests with another result type"
    case frameworks = "Frameworks"
    case names = "Names that do not exist"
  }

  package var line: Int
  package var reason: String
  package var section: Section
}
