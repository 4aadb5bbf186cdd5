import Foundation

/// An element of an XML document. Names have no prefixes: each service has its own.
final class MarkupElement {
  let name: String
  let attributes: [String: String]
  private(set) var children: [MarkupElement] = []
  private var rawText = ""

  init(name: String, attributes: [String: String]) {
    (self.name, self.attributes) = (name, attributes)
  }

  /// Bytes. No field takes as much.
  static let maximumTextLength = 64 << 10

  func add(_ text: String) {
    if rawText.utf8.count < Self.maximumTextLength { rawText += text }
  }

  func add(_ child: MarkupElement) { children.append(child) }

  /// The text of the element itself, without the blanks around it.
  var text: String { rawText.trimmingCharacters(in: .whitespacesAndNewlines) }

  /// An estimate of the memory that it and its descendants take.
  var size: Int { children.reduce(200 + rawText.utf8.count) { $0 + $1.size } }

  /// The children of a name.
  func all(_ name: String) -> [MarkupElement] { children.filter { $0.name == name } }

  /// The first descendant along a path of names.
  subscript(_ path: String...) -> MarkupElement? { self[path] }

  subscript(_ path: [String]) -> MarkupElement? {
    var element = self
    for name in path {
      guard let child = element.children.first(where: { $0.name == name }) else { return nil }
      element = child
    }
    return element
  }
}

/// An error in the text of an element.
struct MarkupFailure: Error, Equatable {
  /// As the rest of a sentence.
  let text: String

  static let reference = notWellFormed("an & does not begin a predefined entity")
  static let attribute = notWellFormed("a tag contains something other than quoted attributes")
  static let unmatchedTags = notWellFormed("start tags and end tags do not match")
  static let endlessTag = notWellFormed("a tag, comment or section does not end")
  static let tooMuch = MarkupFailure(text: "the event has too many elements, or they are nested too deeply")

  private static func notWellFormed(_ text: String) -> MarkupFailure {
    MarkupFailure(text: "XML is not well-formed: \(text)")
  }

  var reason: FeedProblem.Reason { .broken(text) }
}
