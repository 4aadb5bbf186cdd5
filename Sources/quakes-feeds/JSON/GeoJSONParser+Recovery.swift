// Recovery from syntax errors. All places are offsets in the body, since the window may move on.

extension GeoJSONParser {
  mutating func breakOutside(_ failure: JSONFailure) -> EventDocument.Item {
    let reason: FeedProblem.Reason = failure.kind == .endOfBody ? .cutOff : .broken(failure.description)
    if state == .finished || failure.kind == .endOfBody {
      state = .finished
    } else {
      resume(from: scanner.offset, featureStart: nil)
    }
    return .problem(FeedProblem(feature: nil, position: failure.position, identifier: nil, reason: reason))
  }

  mutating func breakInside(_ failure: JSONFailure, feature: Int, start: Int) -> FeedProblem {
    let isTooLarge = failure.kind == .endOfBody && !window.isLast && !isRunaway(from: start, to: window.end)
    // An unclosed bracket would swallow everything after it: try the next feature before giving up.
    resume(from: start + 1, featureStart: start)
    var reason = FeedProblem.Reason.broken(failure.description)
    if isTooLarge {
      reason = .tooLarge(BodyWindow.maximumSize)
    } else if failure.kind == .endOfBody {
      reason = state == .lost ? .cutOff : .broken("a string or bracket is not closed")
      if state == .lost { state = .finished }
    }
    return FeedProblem(
      feature: feature, position: failure.position, identifier: reader.draft.identifier, reason: reason)
  }

  mutating func loseRest() -> EventDocument.Item {
    state = .finished
    return .problem(FeedProblem(feature: nil, position: scanner.offset, identifier: nil, reason: .unreadableRest))
  }

  /// Moves the scanner to the end of the broken feature if its brackets match, otherwise to the next text that begins
  /// like a feature. Quotes in strings are escaped, so such a text never occurs inside a string.
  private mutating func resume(from offset: Int, featureStart: Int?) {
    let marker = nextMarker(from: offset, keeping: featureStart ?? offset)
    if let featureStart, featureStart >= scanner.base,
      let end = bracketEnd(from: featureStart, before: marker ?? window.end)
    {
      scanner.position = end - scanner.base
      state = .afterFeature
    } else if let marker {
      scanner.position = marker - scanner.base
      state = .firstFeature
    } else {
      scanner.position = max(0, offset - scanner.base)
      state = .lost
    }
  }

  /// The offset after the bracket that matches the one at `start`, by counting only, if `,` or `]` follows.
  private func bracketEnd(from start: Int, before limit: Int) -> Int? {
    let bytes = scanner.bytes
    var index = start - scanner.base
    let limit = limit - scanner.base
    guard index < limit, bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "[") else { return nil }
    var depth = 0
    var isInString = false
    while index < limit {
      switch bytes[index] {
      case UInt8(ascii: "\\") where isInString: index += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString: depth += 1
      case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString:
        depth -= 1
        if depth <= 0 { return isBetweenFeatures(index + 1) ? scanner.base + index + 1 : nil }
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
    return isList ? next == UInt8(ascii: ",") || next == UInt8(ascii: "]") : next == nil || next == UInt8(ascii: "{")
  }
}
