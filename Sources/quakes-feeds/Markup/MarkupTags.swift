/// Finds the tags of an XML body, without looking into them.
///
/// Comments, CDATA sections, processing instructions and the document type are passed over.
struct MarkupTags {
  struct Tag {
    enum Kind { case start, end, empty }

    var kind: Kind
    /// The element's name without its prefix.
    var name: String
    /// Where the tag begins in the body.
    var start: Int
    /// Where what follows begins.
    var end: Int

    /// Whether it has more than 4096 bytes, as no format's tags have.
    var isLong: Bool { end - start > 4096 }
  }

  private let window: BodyWindow
  /// The offset in the body at which the search continues.
  private(set) var offset: Int

  init(_ window: BodyWindow) {
    self.window = window
    offset = window.offset
  }

  /// The next tag; nil at the end of the body, or when the window cannot hold more.
  ///
  /// - Parameter kept: the offset from which on the window keeps its bytes; the tag's start if that is nil.
  mutating func next(keeping kept: Int? = nil) -> Tag? {
    while let start = find("<", keeping: kept) {
      offset = start
      let keep = kept ?? start
      // The longest beginning that tells what this is.
      while window.end - start < 9, window.advance(to: keep) {}
      if begins("<!--", at: start) {
        guard pass("-->", from: start + 4, keeping: keep) else { return nil }
      } else if begins("<![CDATA[", at: start) {
        guard pass("]]>", from: start + 9, keeping: keep) else { return nil }
      } else if begins("<?", at: start) {
        guard pass("?>", from: start + 2, keeping: keep) else { return nil }
      } else {
        guard let end = tagEnd(from: start + 1, keeping: keep) else { return nil }
        offset = end
        if let tag = tag(from: start, to: end) { return tag }
      }
    }
    return nil
  }

  /// Advances past the window's contents.
  mutating func passWindow() {
    offset = window.end
  }

  mutating func goBack(to start: Int) {
    offset = start
  }
}

// MARK: - The window's bytes

extension MarkupTags {
  private func begins(_ text: StaticString, at start: Int) -> Bool {
    let pattern = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    return window.bytes[(start - window.offset)...].starts(with: pattern)
  }

  /// The offset of a text, from the search's place on.
  private mutating func find(_ text: StaticString, keeping kept: Int?) -> Int? {
    let length = text.utf8CodeUnitCount
    while true {
      let bytes = window.bytes
      var index = offset - window.offset
      while index + length <= bytes.count {
        if bytes[index] == text.utf8Start[0], begins(text, at: window.offset + index) { return window.offset + index }
        index += 1
      }
      // The text may have begun at the window's end.
      offset = window.offset + index
      guard window.advance(to: kept ?? offset) else { return nil }
    }
  }

  private mutating func pass(_ text: StaticString, from start: Int, keeping kept: Int) -> Bool {
    offset = start
    guard let found = find(text, keeping: kept) else { return false }
    offset = found + text.utf8CodeUnitCount
    return true
  }

  /// The offset behind the `>` that ends a tag, or a document type with its list in brackets; of a `<` if one comes
  /// first, which no tag contains.
  private func tagEnd(from start: Int, keeping kept: Int) -> Int? {
    var position = start
    var quote: UInt8?
    var brackets = 0
    while true {
      while position < window.end {
        let byte = window.bytes[position - window.offset]
        switch byte {
        case UInt8(ascii: "<") where brackets == 0: return position
        case quote: quote = nil
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = quote ?? byte
        case UInt8(ascii: "[") where quote == nil: brackets += 1
        case UInt8(ascii: "]") where quote == nil: brackets -= 1
        case UInt8(ascii: ">") where quote == nil && brackets <= 0: return position + 1
        default: break
        }
        position += 1
      }
      guard window.advance(to: kept) else { return nil }
    }
  }

  /// - Returns: nil for a document type.
  private func tag(from start: Int, to end: Int) -> Tag? {
    let bytes = window.bytes[(start + 1 - window.offset)..<(end - window.offset)]
    guard let first = bytes.first, first != UInt8(ascii: "!") else { return nil }
    let isEnd = first == UInt8(ascii: "/")
    let name = bytes.dropFirst(isEnd ? 1 : 0).prefix { byte in
      byte > 0x20 && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "/")
    }
    let isEmpty = bytes.dropLast().last == UInt8(ascii: "/")
    return Tag(
      kind: isEnd ? .end : isEmpty ? .empty : .start, name: String(decoding: name, as: UTF8.self).withoutPrefix,
      start: start, end: end)
  }
}

extension String {
  /// A qualified name's local part.
  var withoutPrefix: String {
    guard let colon = lastIndex(of: ":") else { return self }
    return String(self[index(after: colon)...])
  }
}
