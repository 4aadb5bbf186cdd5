// Recovery from syntax errors.

extension GeoJSONParser {
  mutating func breakOutside(_ failure: JSONFailure) -> Item {
    let reason: FeedProblem.Reason = failure.kind == .endOfBody ? .cutOff : .broken(failure.description)
    if state == .finished || failure.kind == .endOfBody {
      state = .finished
    } else {
      resume(from: scanner.position, featureStart: nil)
    }
    return .problem(FeedProblem(feature: nil, position: failure.position, identifier: nil, reason: reason))
  }

  mutating func breakInside(_ failure: JSONFailure, feature: Int, start: Int) -> FeedProblem {
    // An unclosed bracket would swallow everything after it: try the next feature before giving up.
    resume(from: start + 1, featureStart: start)
    var reason = FeedProblem.Reason.broken(failure.description)
    if failure.kind == .endOfBody {
      reason = state == .lost ? .cutOff : .broken("a string or bracket is not closed")
      if state == .lost { state = .finished }
    }
    return FeedProblem(
      feature: feature, position: failure.position, identifier: reader.draft.identifier, reason: reason)
  }

  mutating func loseRest() -> Item {
    state = .finished
    return .problem(
      FeedProblem(feature: nil, position: scanner.position, identifier: nil, reason: .unreadableRest))
  }

  /// Moves the scanner to the end of the broken feature if its brackets match, otherwise to the next text that begins
  /// like a feature. Quotes in strings are escaped, so such a text never occurs inside a string.
  private mutating func resume(from position: Int, featureStart: Int?) {
    let marker = nextMarker(from: position)
    if let featureStart, let end = bracketEnd(from: featureStart, before: marker ?? scanner.bytes.count) {
      scanner.position = end
      state = .afterFeature
    } else if let marker {
      scanner.position = marker
      state = .firstFeature
    } else {
      scanner.position = position
      state = .lost
    }
  }

  /// The position of the next `{"type":"Feature"`, allowing white space between its tokens.
  private mutating func nextMarker(from position: Int) -> Int? {
    guard hasMoreMarkers else { return nil }
    let bytes = scanner.bytes
    var index = position
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "{"), isMarker(at: index) { return index }
      index += 1
    }
    hasMoreMarkers = false
    return nil
  }

  private func isMarker(at position: Int) -> Bool {
    var probe = JSONScanner(scanner.bytes)
    probe.position = position + 1
    guard let key = try? probe.key(), Member.ofBody[key] == .type else { return false }
    return (try? probe.string()) == "Feature"
  }

  /// The position after the bracket that matches the one at `start`, by counting only, if `,` or `]` follows.
  private func bracketEnd(from start: Int, before limit: Int) -> Int? {
    let bytes = scanner.bytes
    guard start < limit, bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") else { return nil }
    var depth = 0
    var index = start
    var isInString = false
    while index < limit {
      switch bytes[index] {
      case UInt8(ascii: "\\") where isInString: index += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString: depth += 1
      case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString:
        depth -= 1
        if depth <= 0 { return isBetweenFeatures(index + 1) ? index + 1 : nil }
      default: break
      }
      index += 1
    }
    return nil
  }

  private func isBetweenFeatures(_ position: Int) -> Bool {
    var probe = JSONScanner(scanner.bytes)
    probe.position = position
    let next = try? probe.peek()
    return next == UInt8(ascii: ",") || next == UInt8(ascii: "]")
  }
}
