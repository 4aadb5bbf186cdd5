import Foundation
import StrataQuakes

extension Raster {
  /// The picture in the graphics protocol of kitty: PNG as base64, in parts of at most 4096 characters.
  /// https://sw.kovidgoyal.net/kitty/graphics-protocol/
  ///
  /// - Throws: what `png()` throws.
  public func kittyGraphics() throws(Failure) -> OutputText {
    let text = Array(try png().base64EncodedString().utf8)
    var parts: [OutputText] = []
    for start in stride(from: 0, to: text.count, by: 4096) {
      let end = min(start + 4096, text.count)
      // q=2: the terminal must not respond, because the program does not read responses.
      let control: OutputText = start == 0 ? "a=T,f=100,q=2," : ""
      let part = String(decoding: text[start..<end], as: UTF8.self)
      parts.append("\u{1B}_G\(control)m=\(end < text.count ? 1 : 0);\(part)\u{1B}\\")
    }
    return parts.joined(separator: "")
  }
}

extension IndexedRaster {
  /// The picture as sixels: bands of six rows, and in each the pixels of one color after the other.
  /// https://vt100.net/docs/vt3xx-gp/chapter14.html
  public var sixels: OutputText {
    var text = "\"1;1;\(width);\(height)"
    for (index, color) in colors.enumerated() {
      let parts = [color.red, color.green, color.blue].map { String((Int($0) * 100 + 127) / 255) }
      text += "#\(index);2;\(parts.joined(separator: ";"))"
    }
    for top in stride(from: 0, to: height, by: 6) {
      text += (top == 0 ? "" : "-") + band(top: top)
    }
    return "\u{1B}Pq\(text)\u{1B}\\"
  }

  private func band(top: Int) -> String {
    var columns: [UInt8: [UInt8]] = [:]
    for row in top..<min(top + 6, height) {
      for x in 0..<width {
        columns[indices[row * width + x], default: [UInt8](repeating: 0, count: width)][x] |= 1 << UInt8(row - top)
      }
    }
    return columns.sorted { $0.key < $1.key }.map { "#\($0.key)" + Self.runs($0.value) }.joined(separator: "$")
  }

  private static func runs(_ sixels: [UInt8]) -> String {
    var (bytes, start): ([UInt8], Int) = ([], 0)
    while start < sixels.count {
      let end = sixels[start...].firstIndex { $0 != sixels[start] } ?? sixels.count
      // Nothing more is at the end of most lines.
      if end == sixels.count, sixels[start] == 0 { break }
      let (length, character) = (end - start, 0x3F + sixels[start])
      if length > 3 { bytes += Array("!\(length)".utf8) + [character] }
      if length <= 3 { bytes += [UInt8](repeating: character, count: length) }
      start = end
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
