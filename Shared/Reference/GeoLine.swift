import CoreData
import Foundation

/// An object of the Reference store that is a line from point to point.
public protocol GeoLine: NSManagedObject {
  /// Latitude and longitude of each point, as 32-bit numbers, the lowest byte first.
  var points: Data? { get set }
}

extension GeoLine {
  /// Degrees, north and east positive.
  public var positions: [(latitude: Float, longitude: Float)] {
    get {
      (points ?? Data()).withUnsafeBytes { bytes in
        (0..<bytes.count / 8).map { (Self.number(bytes, at: $0 * 8), Self.number(bytes, at: $0 * 8 + 4)) }
      }
    }
    set {
      points = newValue.reduce(into: Data()) { data, point in
        for number in [point.latitude, point.longitude] {
          withUnsafeBytes(of: number.bitPattern.littleEndian) { data.append(contentsOf: $0) }
        }
      }
    }
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Float {
    Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}
