/// Tells keys from the bytes that a terminal sends for them: UTF-8, and the sequences of xterm, VT220 and the Linux
/// console. What it does not know it drops.
public struct KeyDecoder: Sendable {
  /// Bytes of a paste beyond these are dropped.
  private static let maximumPaste = 65_536
  /// No known sequence is longer.
  private static let maximumSequence = 32

  private var bytes: [UInt8] = []
  /// Not nil within a paste.
  private var pasted: [UInt8]?

  public init() {}

  /// Whether bytes wait for others: a lone Escape, or a part of a sequence or character. If none comes soon, `flush`.
  public var isWaiting: Bool { !bytes.isEmpty && pasted == nil }

  /// Decodes what was read.
  public mutating func keys(_ read: some Sequence<UInt8>) -> [Key] {
    bytes += read
    var keys: [Key] = []
    var position = 0
    while position < bytes.count {
      let step = pasted == nil ? next(bytes[position...], isLast: false) : nextPasted(bytes[position...])
      guard let (key, count) = step else { break }
      if let key { keys.append(key) }
      position += count
    }
    bytes.removeFirst(position)
    return keys
  }

  /// Decodes what still waits as if nothing followed it.
  public mutating func flush() -> [Key] {
    guard isWaiting else { return [] }
    var keys: [Key] = []
    var rest = bytes[...]
    bytes = []
    while !rest.isEmpty, let (key, count) = next(rest, isLast: true) {
      if let key { keys.append(key) }
      rest = rest.dropFirst(count)
    }
    return keys
  }

  /// - Returns: nil if more bytes are needed; no key if the bytes mean none.
  private mutating func next(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> (key: Key?, count: Int)? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x1B: return escape(bytes, isLast: isLast)
    case 0x0D, 0x0A: return (.enter, 1)
    case 0x09: return (.tab, 1)
    case 0x08, 0x7F: return (.backspace, 1)
    case 1...26: return (.control(Character(Unicode.Scalar(first + 0x60))), 1)
    case 0..<0x20: return (nil, 1)
    default: return character(bytes, isLast: isLast)
    }
  }

  private func character(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> (key: Key?, count: Int)? {
    guard let first = bytes.first else { return nil }
    let count = first < 0x80 ? 1 : 0xC2...0xDF ~= first ? 2 : 0xE0...0xEF ~= first ? 3 : 0xF0...0xF4 ~= first ? 4 : 0
    guard count > 0 else { return (nil, 1) }
    let own = bytes.prefix(count)
    // A byte that cannot continue the character ends it.
    if let wrong = own.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) { return (nil, wrong - bytes.startIndex) }
    guard own.count == count else { return isLast ? (nil, own.count) : nil }
    guard let text = String(validating: own, as: UTF8.self), let character = text.first else { return (nil, count) }
    return (.character(character), count)
  }

  // MARK: Sequences

  private mutating func escape(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> (key: Key?, count: Int)? {
    guard let second = bytes.dropFirst().first else { return isLast ? (.escape, 1) : nil }
    switch second {
    case UInt8(ascii: "["): return controlSequence(bytes, isLast: isLast)
    case UInt8(ascii: "O"):
      guard let third = bytes.dropFirst(2).first else { return isLast ? (.escape, 1) : nil }
      return (Self.letters[third], 3)
    // Escape and then another key, pressed quickly or as Alt.
    default: return (.escape, 1)
    }
  }

  private mutating func controlSequence(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> (key: Key?, count: Int)? {
    var rest = bytes.dropFirst(2)
    // The function keys of the Linux console: ESC [ [ A.
    if rest.first == UInt8(ascii: "[") {
      guard rest.count >= 2 else { return isLast ? (nil, bytes.count) : nil }
      return (nil, 4)
    }
    let longest = bytes.prefix(Self.maximumSequence)
    guard let end = longest.dropFirst(2).firstIndex(where: { !(0x20...0x3F ~= $0) }) else {
      // The limit is the same whether the bytes arrive together or one by one.
      return isLast || longest.count == Self.maximumSequence ? (nil, longest.count) : nil
    }
    let count = end - bytes.startIndex + 1
    let final = rest[end]
    // A byte that is not part of a sequence begins another key.
    guard 0x40...0x7E ~= final else { return (nil, count - 1) }
    rest = rest[..<end]
    guard final == UInt8(ascii: "~") else {
      return (final == UInt8(ascii: "Z") ? .backTab : Self.letters[final], count)
    }
    let number = Int(String(decoding: rest.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self))
    if number == 200 { pasted = [] }
    return (number.flatMap { Self.numbers[$0] }, count)
  }

  private static let letters: [UInt8: Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "M"): .enter,
  ]

  private static let numbers: [Int: Key] = [
    1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
  ]

  // MARK: Pastes

  private static let endOfPaste = Array("\u{1B}[201~".utf8)

  private mutating func nextPasted(_ bytes: ArraySlice<UInt8>) -> (key: Key?, count: Int)? {
    let end = Self.endOfPaste
    if bytes.starts(with: end) {
      let text = String(decoding: pasted ?? [], as: UTF8.self)
      pasted = nil
      return (.paste(text), end.count)
    }
    guard let first = bytes.first, !(bytes.count < end.count && end.starts(with: bytes)) else { return nil }
    // Up to the next byte that may begin the end.
    let run = first == end[0] ? bytes.prefix(1) : bytes.prefix { $0 != end[0] }
    let room = Self.maximumPaste - (pasted?.count ?? 0)
    pasted?.append(contentsOf: run.prefix(room))
    return (nil, run.count)
  }
}
