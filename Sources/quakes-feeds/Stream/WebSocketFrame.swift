/// One frame of a WebSocket (RFC 6455, section 5).
struct WebSocketFrame: Equatable, Sendable {
  enum Kind: UInt8, Sendable {
    case continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10

    /// Whether the frame is about the connection, and may be between those of a message.
    var isControl: Bool { rawValue >= Kind.close.rawValue }
  }

  /// The largest payload of a frame about the connection, in bytes.
  static let maximumControlSize = 125

  var kind: Kind
  /// Whether its message ends with it.
  var isLast = true
  var payload: [UInt8] = []

  /// As a client sends it: masked with four random bytes, so that no proxy takes it for something else.
  func masked(with mask: UInt32) -> [UInt8] {
    let key = mask.bigEndianBytes
    var bytes = [kind.rawValue | (isLast ? 0x80 : 0)]
    switch payload.count {
    case ...125: bytes.append(0x80 | UInt8(payload.count))
    case ...0xFFFF: bytes += [0x80 | 126] + UInt16(payload.count).bigEndianBytes
    default: bytes += [0x80 | 127] + UInt64(payload.count).bigEndianBytes
    }
    bytes += key
    for (index, byte) in payload.enumerated() { bytes.append(byte ^ key[index % 4]) }
    return bytes
  }
}

/// How a server breaks the protocol.
struct WebSocketViolation: Error, Equatable {
  /// The number that tells the server why the connection ends (RFC 6455, section 7.4.1).
  enum Code: UInt16, Sendable {
    case protocolError = 1002, tooLarge = 1009
  }

  var code = Code.protocolError
  /// Completes a sentence that begins with the server's address.
  var reason: String
}

/// Joins the bytes that a server sends to frames, and the frames to messages.
struct WebSocketReader {
  enum Item: Equatable {
    case message([UInt8])
    case ping([UInt8])
    case pong
    /// With the server's number for the reason; nil without one.
    case close(UInt16?, reason: String)
  }

  private let maximumSize: Int
  private var received: [UInt8] = []
  /// How many of them were read.
  private var position = 0
  /// The received part of the next message; nil between messages.
  private var message: [UInt8]?

  /// - Parameter maximumSize: of a message, in bytes.
  init(maximumSize: Int) {
    self.maximumSize = maximumSize
  }

  mutating func append(_ bytes: some Sequence<UInt8>) {
    if position > received.count / 2 {
      received.removeSubrange(..<position)
      position = 0
    }
    received += bytes
  }

  private var rest: ArraySlice<UInt8> { received[position...] }

  /// - Returns: nil until more bytes arrive.
  /// - Throws: `WebSocketViolation`, after which nothing can be read.
  mutating func next() throws(WebSocketViolation) -> Item? {
    while let frame = try nextFrame() {
      if let item = try item(of: frame) { return item }
    }
    return nil
  }

  /// - Returns: nil for a frame whose message continues.
  private mutating func item(of frame: WebSocketFrame) throws(WebSocketViolation) -> Item? {
    switch frame.kind {
    case .ping: return .ping(frame.payload)
    case .pong: return .pong
    case .close: return try close(frame.payload)
    case .continuation:
      guard message != nil else { throw WebSocketViolation(reason: "continued a message that it had not begun") }
    case .text, .binary:
      guard message == nil else { throw WebSocketViolation(reason: "began a message within another one") }
      message = []
    }
    message? += frame.payload
    guard frame.isLast, let whole = message else { return nil }
    message = nil
    return .message(whole)
  }

  private func close(_ payload: [UInt8]) throws(WebSocketViolation) -> Item {
    guard !payload.isEmpty else { return .close(nil, reason: "") }
    let code = UInt16(bigEndianBytes: payload.prefix(2))
    // The numbers between are for programs that have no number to report, and are never sent.
    guard payload.count >= 2, 1000...1014 ~= code && !(1004...1006 ~= code) || 3000...4999 ~= code else {
      throw WebSocketViolation(reason: "closed the connection with an invalid number")
    }
    return .close(code, reason: String(decoding: payload[2...], as: UTF8.self))
  }

  private mutating func nextFrame() throws(WebSocketViolation) -> WebSocketFrame? {
    guard rest.count >= 2 else { return nil }
    let (first, second) = (received[position], received[position + 1])
    guard first & 0x70 == 0, let kind = WebSocketFrame.Kind(rawValue: first & 0x0F) else {
      throw WebSocketViolation(reason: "sent a frame of an unknown kind")
    }
    guard second & 0x80 == 0 else { throw WebSocketViolation(reason: "sent a masked frame") }
    let isLast = first & 0x80 != 0
    guard !kind.isControl || isLast && second <= WebSocketFrame.maximumControlSize else {
      throw WebSocketViolation(reason: "sent a frame about the connection that is too large or in parts")
    }
    guard let (start, length) = try payload(second), rest.count - start >= length else { return nil }
    let payload = Array(rest.dropFirst(start).prefix(length))
    position += start + length
    return WebSocketFrame(kind: kind, isLast: isLast, payload: payload)
  }

  /// How many bytes precede the payload, and its length; nil until they have arrived.
  ///
  /// - Parameter short: the length, or 126 or 127 if it follows in two or eight bytes.
  private func payload(_ short: UInt8) throws(WebSocketViolation) -> (start: Int, length: Int)? {
    let start = 2 + (short == 126 ? 2 : short == 127 ? 8 : 0)
    guard rest.count >= start else { return nil }
    let length = start == 2 ? UInt64(short) : UInt64(bigEndianBytes: rest.prefix(start).dropFirst(2))
    guard length <= UInt64(maximumSize - (message?.count ?? 0)) else {
      throw WebSocketViolation(code: .tooLarge, reason: "sent a message of more than \(maximumSize >> 10) kB")
    }
    return (start, Int(length))
  }
}
