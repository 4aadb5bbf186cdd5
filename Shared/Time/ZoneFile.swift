import Foundation

/// A time zone of the system's IANA database, read from its file (RFC 9636).
///
/// Foundation reads time zones from 33 MB of locale data, which the programs are handed out without.
public struct ZoneFile: Equatable, Sendable {
  /// The zone's offset and name from a time on.
  struct Period: Equatable, Sendable {
    /// Seconds east of UTC.
    var offset: Int
    /// Such as `CET`, or `+0545`.
    var name: String
  }

  /// The times at which clocks are set, ascending, in seconds since 1970.
  private var transitions: [Int] = []
  /// The index of the period that each transition begins.
  private var kinds: [Int] = []
  private var periods: [Period] = []
  /// The rule after the last transition; nil if the last period stays in effect.
  private var rule: ZoneRule?

  /// - Parameter name: such as `Asia/Tokyo`.
  /// - Returns: nil if the system has no such zone, or its file is damaged.
  init?(name: String, folder: String = Environment.variable("TZDIR") ?? "/usr/share/zoneinfo") {
    let isName = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "+"):
        true
      default: false
      }
    }
    // Without a dot there is no way out of the folder.
    guard isName, !name.isEmpty, let file = FileHandle(forReadingAtPath: "\(folder)/\(name)"),
      let data = try? file.read(upToCount: 1 << 20)
    else { return nil }
    self.init(data)
  }

  /// - Parameter data: the file. Only what is of version 2 and later is read: all files of this century have it.
  init?(_ data: Data) {
    var reader = ZoneReader(Array(data))
    guard let old = reader.head(), reader.skip(old.size(timeSize: 4)), let counts = reader.head() else { return nil }
    guard let transitions = reader.numbers(counts.times, size: 8), let kinds = reader.numbers(counts.times, size: 1),
      let types = reader.types(counts.types), let names = reader.bytes(counts.characters),
      reader.skip(counts.leaps * 12 + counts.standards + counts.universals)
    else { return nil }
    for type in types {
      guard type.name < names.count else { return nil }
      periods.append(
        Period(offset: type.offset, name: String(decoding: names[type.name...].prefix { $0 != 0 }, as: UTF8.self)))
    }
    guard !periods.isEmpty, kinds.allSatisfy(periods.indices.contains), transitions == transitions.sorted() else {
      return nil
    }
    (self.transitions, self.kinds) = (transitions, kinds)
    rule = ZoneRule(reader.line())
  }

  /// - Parameter seconds: since 1970.
  func period(at seconds: Int) -> Period {
    if let last = transitions.last, seconds < last {
      // The first transition that is later.
      var (low, high) = (0, transitions.count)
      while low < high {
        let middle = (low + high) / 2
        if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
      }
      return low == 0 ? periods[0] : periods[kinds[low - 1]]
    }
    return rule?.period(at: seconds) ?? kinds.last.map { periods[$0] } ?? periods[0]
  }
}

/// Reads the parts of a zone's file, numbers in network order.
private struct ZoneReader {
  /// Record counts from the block header.
  struct Counts {
    var universals, standards, leaps, times, types, characters: Int

    func size(timeSize: Int) -> Int {
      times * (timeSize + 1) + types * 6 + characters + leaps * (timeSize + 4) + standards + universals
    }
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count >= 0, bytes.count - position >= count else { return nil }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  mutating func skip(_ count: Int) -> Bool { bytes(count) != nil }

  mutating func head() -> Counts? {
    guard bytes(4) == Array("TZif".utf8), let version = bytes(1)?.first, version >= UInt8(ascii: "2"), skip(15),
      let numbers = numbers(6, size: 4), numbers.allSatisfy({ 0...bytes.count ~= $0 })
    else { return nil }
    return Counts(
      universals: numbers[0], standards: numbers[1], leaps: numbers[2], times: numbers[3], types: numbers[4],
      characters: numbers[5])
  }

  /// - Parameter size: bytes of each, 1, 4 or 8; those of one byte have no sign.
  mutating func numbers(_ count: Int, size: Int) -> [Int]? {
    bytes(count * size).map { bytes in
      (0..<count).map { index in
        let value = bytes[index * size..<(index + 1) * size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return switch size {
        case 8: Int(Int64(bitPattern: value))
        case 4: Int(Int32(truncatingIfNeeded: value))
        default: Int(value)
        }
      }
    }
  }

  /// Offsets, and where their names begin.
  mutating func types(_ count: Int) -> [(offset: Int, name: Int)]? {
    var types: [(offset: Int, name: Int)] = []
    for _ in 0..<count {
      guard let offset = numbers(1, size: 4)?.first, skip(1), let name = numbers(1, size: 1)?.first else { return nil }
      types.append((offset, name))
    }
    return types
  }

  /// The text between the line breaks at the end.
  func line() -> Substring {
    let rest = bytes[position...].dropFirst().prefix { $0 != UInt8(ascii: "\n") }
    return Substring(String(decoding: rest, as: UTF8.self))
  }
}
