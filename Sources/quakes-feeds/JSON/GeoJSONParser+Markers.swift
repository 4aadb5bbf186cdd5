// The search for texts that begin like a feature: `{"type":"Feature"`, allowing white space between the tokens. A record
// begins with a name of its dialect.

/// The state of the search for markers, so that no byte is searched twice.
struct MarkerSearch {
  /// The marker that was found last.
  var found: Int?
  /// The offset up to which no other marker follows the last search's start.
  var searched = 0
}

extension GeoJSONParser {
  /// A marker and its blanks are shorter than this; a possible beginning nearer to the window's end is kept.
  private static let maximumMarkerLength = 256

  /// Features with another one inside are shorter, or are taken for features that are not closed.
  private static let maximumNesting = 64 << 10

  /// Whether a feature is not closed: it is longer than features are, and another one begins in its first part.
  ///
  /// Depends on the body alone, not on how much of it a window shows.
  ///
  /// - Parameters:
  ///   - start: where the feature begins in the body.
  ///   - end: where it ends, or where the window does before it.
  mutating func isRunaway(from start: Int, to end: Int) -> Bool {
    guard isList, end - start > Self.maximumNesting + Self.maximumMarkerLength else { return false }
    return markerInWindow(from: start + 1).map { $0 < start + Self.maximumNesting } ?? false
  }

  /// The offset of the next marker, however far away.
  ///
  /// - Parameter kept: what the window keeps while it can.
  mutating func nextMarker(from offset: Int, keeping kept: Int) -> Int? {
    while true {
      if let marker = markerInWindow(from: offset) { return marker }
      guard more(from: max(kept, scanner.base)) || more(from: max(markers.searched, scanner.base)) else { return nil }
    }
  }

  private mutating func markerInWindow(from offset: Int) -> Int? {
    if let found = markers.found, found >= offset { return found }
    let bytes = scanner.bytes
    var index = max(offset, markers.searched) - scanner.base
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "{") {
        switch marker(at: index) {
        case true:
          markers = MarkerSearch(found: scanner.base + index, searched: scanner.base + index + 1)
          return markers.found
        case false: break
        case nil:
          markers.searched = scanner.base + index
          return nil
        }
      }
      index += 1
    }
    markers.searched = max(markers.searched, scanner.base + index)
    return nil
  }

  /// Whether a marker begins here; nil if that depends on bytes after the window's end.
  private func marker(at position: Int) -> Bool? {
    var probe = JSONScanner(scanner.bytes)
    probe.position = position + 1
    do {
      let key = try probe.key()
      if let dialect = reader.dialect { return dialect.names[key] != nil }
      guard Member.ofBody[key] == .type, try probe.peek() == UInt8(ascii: "\"") else { return false }
      return try probe.string() == "Feature"
    } catch {
      let isOpen =
        error.kind == .endOfBody && !window.isLast && scanner.bytes.count - position < Self.maximumMarkerLength
      return isOpen ? nil : false
    }
  }
}
