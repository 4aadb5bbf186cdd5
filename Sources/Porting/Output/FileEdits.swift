/// A replacement of bytes of a source.
struct Edit {
  var range: Range<Int>
  var text: String
}

/// The kinds of changes.
package enum Reason: String, CaseIterable, Sendable {
  case attribute, protocolConstraint, keyPath, selector, missingImport, conditionalImport, request, literal, name
}

/// The edits of one file, and the places that need manual changes.
struct FileEdits {
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
  mutating func precede(with other: FileEdits) {
    edits = other.edits + edits
    remarks = other.remarks + remarks
    counts.merge(other.counts, uniquingKeysWith: +)
  }

  mutating func remark(_ token: CodeToken, _ reason: String, _ section: Remark.Section) {
    remarks.append(Remark(line: token.line, reason: reason, section: section, offset: token.bytes.lowerBound))
  }

  /// Adds a remark about the whole file.
  mutating func remark(_ reason: String) {
    remarks.append(Remark(line: 1, reason: reason, section: nil, offset: 0))
  }
}

/// A place that needs manual changes.
package struct Remark: Equatable, Sendable {
  /// A heading of the article on porting.
  package enum Section: String, Sendable {
    case classes = "A class from Xcode"
    case objectiveC = "Objective-C"
    case imports = "Imports"
    case observing = "Key-value observing"
    case requests = "Requests with another result type"
    case threads = "Threads and run loops"
    case frameworks = "Frameworks"
    case names = "Names that do not exist"
  }

  package var line: Int
  package var reason: String
  /// The section with advice; nil if the source cannot be parsed.
  package var section: Section?
  /// The position of the place in the bytes before the edits.
  var offset: Int
}
