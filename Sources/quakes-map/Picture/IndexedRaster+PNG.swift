import Foundation

extension IndexedRaster {
  /// The picture as PNG: https://www.w3.org/TR/png-3/
  public var png: Data {
    var header: [UInt8] = []
    header.append(bigEndian: UInt32(width))
    header.append(bigEndian: UInt32(height))
    // Eight bits a pixel, with a palette, and the only methods of compression, filtering and order.
    header += [8, 3, 0, 0, 0]
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file.append(chunk: "IHDR", header)
    file.append(chunk: "PLTE", colors.flatMap { [$0.red, $0.green, $0.blue] })
    file.append(chunk: "IDAT", Self.zlib(rows))
    file.append(chunk: "IEND", [])
    return Data(file)
  }

  /// Each row begins with its filter type: 0, no filter.
  private var rows: [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity((width + 1) * height)
    for row in 0..<height {
      rows.append(0)
      rows += indices[row * width..<(row + 1) * width]
    }
    return rows
  }

  /// RFC 1950.
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for part in stride(from: 0, to: bytes.count, by: 5552) {
      // So many additions fit into 32 bits.
      for byte in bytes[part..<min(part + 5552, bytes.count)] {
        low &+= UInt32(byte)
        high &+= low
      }
      (low, high) = (low % 65_521, high % 65_521)
    }
    var result: [UInt8] = [0x78, 0x01] + Deflate.pack(bytes)
    result.append(bigEndian: high << 16 | low)
    return result
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian number: UInt32) {
    for shift in [24, 16, 8, 0] as [UInt32] { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  fileprivate mutating func append(chunk name: StaticString, _ data: [UInt8]) {
    append(bigEndian: UInt32(data.count))
    let content = Array(name.description.utf8) + data
    self += content
    append(bigEndian: content.crc)
  }

  /// Annex D of the PNG specification.
  private var crc: UInt32 {
    let table = (0..<256 as Range<UInt32>).map { byte in
      (0..<8).reduce(byte) { rest, _ in rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xEDB8_8320 }
    }
    return ~reduce(~0) { rest, byte in table[Int((rest ^ UInt32(byte)) & 0xFF)] ^ rest >> 8 }
  }
}
