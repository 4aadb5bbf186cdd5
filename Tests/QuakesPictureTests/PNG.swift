import Foundation
import StrataFormats
import Testing

/// A reader of PNG files of red, green and blue that checks each chunk's checksum: https://www.w3.org/TR/png-3/
struct PNG {
  let width: Int
  let height: Int
  /// `0x00RRGGBB`
  let pixels: [UInt32]

  init(_ data: Data) throws {
    let bytes = [UInt8](data)
    #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    var (start, chunks) = (8, [(name: String, data: [UInt8])]())
    while start < bytes.count {
      let length = Self.number(bytes, start)
      let content = Array(bytes[start + 4..<start + 8 + length])
      #expect(Self.number(bytes, start + 8 + length) == Self.checksum(content))
      chunks.append((String(decoding: content.prefix(4), as: UTF8.self), Array(content.dropFirst(4))))
      start += 12 + length
    }
    #expect(start == bytes.count && chunks.first?.name == "IHDR" && chunks.last?.name == "IEND")
    let header = try #require(chunks.first?.data)
    (width, height) = (Self.number(header, 0), Self.number(header, 4))
    // Eight bits a color, and the only methods of compression, filtering and order.
    #expect(header[8...] == [8, 2, 0, 0, 0])
    let zlib = chunks.filter { $0.name == "IDAT" }.flatMap(\.data)
    let rows = try #require(Inflate.unpack(Array(zlib[2..<zlib.count - 4])))
    pixels = try Self.pixels(rows, width: width, height: height)
  }

  /// Each row begins with its filter: what is added to each byte.
  private static func pixels(_ filtered: [UInt8], width: Int, height: Int) throws -> [UInt32] {
    let length = width * 3
    try #require(filtered.count == (length + 1) * height)
    var (above, pixels) = ([UInt8](repeating: 0, count: length), [UInt32]())
    for row in 0..<height {
      let start = row * (length + 1)
      var line = Array(filtered[start + 1..<start + 1 + length])
      for index in line.indices {
        let (left, up) = (index < 3 ? 0 : Int(line[index - 3]), Int(above[index]))
        let corner = index < 3 ? 0 : Int(above[index - 3])
        let sum =
          switch filtered[start] {
          case 0: 0
          case 1: left
          case 2: up
          case 3: (left + up) / 2
          default: paeth(left, up, corner)
          }
        line[index] &+= UInt8(sum)
      }
      for index in stride(from: 0, to: length, by: 3) {
        pixels.append(UInt32(line[index]) << 16 | UInt32(line[index + 1]) << 8 | UInt32(line[index + 2]))
      }
      above = line
    }
    return pixels
  }

  private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
    let guess = left + up - corner
    let (toLeft, toUp, toCorner) = (abs(guess - left), abs(guess - up), abs(guess - corner))
    return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
  }

  private static func number(_ bytes: [UInt8], _ start: Int) -> Int {
    bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// CRC-32 by bitwise division.
  private static func checksum(_ bytes: [UInt8]) -> Int {
    var rest: UInt32 = ~0
    for bit in bytes.flatMap({ byte in (0..<8).map { UInt32(byte >> $0 & 1) } }) {
      rest = (rest ^ bit) & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1
    }
    return Int(~rest)
  }
}
