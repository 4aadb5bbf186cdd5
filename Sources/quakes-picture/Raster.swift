import Foundation
import StrataCCairo
import StrataQuakes

/// Pixels of red, green and blue, row by row from the upper left corner.
public struct Raster: Equatable, Sendable {
  public let width: Int
  public let height: Int
  /// `0x00RRGGBB`
  let pixels: [UInt32]

  /// Draws.
  ///
  /// - Throws: `Failure` with status 74 if there is not enough memory for the pixels.
  public init(_ drawing: Drawing) throws(Failure) {
    (width, height) = (drawing.width, drawing.height)
    var pixels = [UInt32](repeating: 0, count: width * height)
    let status = Self.withSurface(of: &pixels, width, height) { surface in
      let canvas = CairoCanvas(surface)
      for shape in drawing.shapes { canvas.draw(shape) }
      return canvas.status
    }
    try Self.check(status)
    // The highest byte has no meaning.
    self.pixels = pixels.map { $0 & 0xFF_FFFF }
  }

  subscript(x: Int, y: Int) -> Drawing.Color { Drawing.Color(pixels[y * width + x]) }

  /// The picture as PNG.
  ///
  /// - Throws: `Failure` with status 74 if there is not enough memory.
  public func png() throws(Failure) -> Data {
    var (pixels, data) = (pixels, Data())
    let status = Self.withSurface(of: &pixels, width, height) { surface in
      withUnsafeMutablePointer(to: &data) { data in
        cairo_surface_write_to_png_stream(
          surface,
          { data, bytes, count in
            data?.assumingMemoryBound(to: Data.self).pointee.append(bytes!, count: Int(count))
            return CAIRO_STATUS_SUCCESS
          }, data)
      }
    }
    try Self.check(status)
    return data
  }

  private static func withSurface(
    of pixels: inout [UInt32], _ width: Int, _ height: Int, _ body: (OpaquePointer?) -> cairo_status_t
  ) -> cairo_status_t {
    pixels.withUnsafeMutableBytes { bytes in
      // A row of 32-bit pixels has no padding.
      let surface = cairo_image_surface_create_for_data(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24, Int32(width), Int32(height),
        Int32(width * 4))
      defer { cairo_surface_destroy(surface) }
      let status = body(surface)
      cairo_surface_flush(surface)
      return status == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface) : status
    }
  }

  private static func check(_ status: cairo_status_t) throws(Failure) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    throw Failure(
      .outputFailed,
      "cannot draw the image: \(String(cString: cairo_status_to_string(status))); choose a smaller --size")
  }
}
