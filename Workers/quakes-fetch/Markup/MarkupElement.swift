import Foundation
import FoundationXML

/// An element of an XML document. Names have no prefixes: each service has its own.
final class MarkupElement {
  let name: String
  let attributes: [String: String]
  fileprivate(set) var children: [MarkupElement] = []
  fileprivate(set) var rawText = ""

  fileprivate init(name: String, attributes: [String: String]) {
    (self.name, self.attributes) = (name, attributes)
  }

  /// Bytes. No field takes as much.
  fileprivate static let longestText = 64 << 10

  fileprivate func add(_ text: String) {
    if rawText.utf8.count < Self.longestText { rawText += text }
  }

  /// The text of the element itself, without the blanks around it.
  var text: String { rawText.trimmingCharacters(in: .whitespacesAndNewlines) }

  /// The children of a name.
  func all(_ name: String) -> [MarkupElement] { children.filter { $0.name == name } }

  /// The first descendant along a path of names.
  subscript(_ path: String...) -> MarkupElement? {
    var element = self
    for name in path {
      guard let child = element.children.first(where: { $0.name == name }) else { return nil }
      element = child
    }
    return element
  }
}

/// The error that a text is not well-formed XML, or has too many elements.
struct MarkupFailure: Error {
  /// The number of the XML parser's error; nil for too many elements.
  var code: Int?

  var reason: FeedProblem.Reason {
    .broken(code.map { "XML is not well-formed (error \($0))" } ?? "the event has too many elements")
  }
}

/// Parses one element of a document, with what its ancestors declare.
///
/// The XML parser goes on behind most errors, such as an `&` that stands for itself: what it made of them is kept.
final class MarkupElementParser: NSObject, XMLParserDelegate {
  private let name: String
  private let ignored: Set<String>
  private var open: [MarkupElement] = []
  private var ignoredDepth = 0
  private var elementCount = 0
  private var result: MarkupElement?
  /// The first error before the element's end.
  private var failure: MarkupFailure?

  private init(name: String, ignored: Set<String>) {
    (self.name, self.ignored) = (name, ignored)
  }

  /// More than an event has, without what is ignored.
  private static let mostElements = 10_000

  /// - Parameter text: the element, after the start tags of its ancestors.
  /// - Parameter ignored: the names of elements that are passed over with all that they hold.
  /// - Returns: the element, and the error that was passed over if there is one.
  /// - Throws: `MarkupFailure` if the parser did not get to the element's end; what follows does not matter.
  static func element(
    _ name: String, in text: String, ignoring ignored: Set<String> = []
  ) throws(MarkupFailure) -> (element: MarkupElement, failure: MarkupFailure?) {
    let delegate = MarkupElementParser(name: name, ignored: ignored)
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = delegate
    parser.shouldResolveExternalEntities = false
    _ = parser.parse()
    guard let result = delegate.result else { throw delegate.failure ?? MarkupFailure(code: 0) }
    return (result, delegate.failure)
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    if result == nil, failure == nil { failure = MarkupFailure(code: (parseError as NSError).code) }
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    let local = elementName.withoutPrefix
    guard result == nil, ignoredDepth == 0, !ignored.contains(local) else {
      ignoredDepth += 1
      return
    }
    elementCount += 1
    guard elementCount <= Self.mostElements else {
      failure = failure ?? MarkupFailure(code: nil)
      return parser.abortParsing()
    }
    let names = attributes.map { ($0.key.withoutPrefix, $0.value) }
    let element = MarkupElement(name: local, attributes: Dictionary(names) { first, _ in first })
    open.last?.children.append(element)
    open.append(element)
  }

  func parser(_ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?) {
    guard ignoredDepth == 0 else {
      ignoredDepth -= 1
      return
    }
    let element = open.popLast()
    if element?.name == name, result == nil { result = element }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if ignoredDepth == 0 { open.last?.add(string) }
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    if ignoredDepth == 0 { open.last?.add(String(decoding: block.prefix(MarkupElement.longestText), as: UTF8.self)) }
  }
}
