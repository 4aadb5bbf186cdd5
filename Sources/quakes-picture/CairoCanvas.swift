import StrataCCairo

/// Draws shapes on a surface of cairo: https://www.cairographics.org/manual/
final class CairoCanvas {
  private let context: OpaquePointer?

  init(_ surface: OpaquePointer?) {
    context = cairo_create(surface)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    let options = TextFont.options()
    cairo_set_font_options(context, options)
    cairo_font_options_destroy(options)
  }

  deinit { cairo_destroy(context) }

  var status: cairo_status_t { cairo_status(context) }

  func draw(_ shape: Drawing.Shape) {
    switch shape {
    case .area(let outlines, let color):
      for outline in outlines {
        add(outline)
        cairo_close_path(context)
      }
      fill(color)
    case .lines(let lines, let pen):
      for line in lines { add(line) }
      stroke(pen)
    case .disc(let disc):
      cairo_arc(context, disc.center.x, disc.center.y, disc.radius, 0, 2 * .pi)
      let circle = cairo_copy_path(context)
      fill(disc.fill)
      cairo_append_path(context, circle)
      cairo_path_destroy(circle)
      stroke(disc.rim)
    case .text(let text): draw(text)
    case .clipped(let shapes, let box):
      cairo_save(context)
      cairo_rectangle(context, box.left, box.top, box.width, box.height)
      cairo_clip(context)
      for shape in shapes { draw(shape) }
      cairo_restore(context)
    }
  }

  private func draw(_ text: Drawing.Text) {
    cairo_set_font_size(context, text.size)
    let runs = TextFont.sans.runs(text.text)
    if let halo = text.halo {
      cairo_move_to(context, text.start.x, text.start.y)
      for run in runs {
        cairo_set_font_face(context, run.face)
        cairo_text_path(context, run.text)
      }
      stroke(Drawing.Pen(halo, width: 0.25 * text.size))
    }
    set(text.color)
    cairo_move_to(context, text.start.x, text.start.y)
    for run in runs {
      cairo_set_font_face(context, run.face)
      cairo_show_text(context, run.text)
    }
    cairo_new_path(context)
  }

  private func add(_ points: [Drawing.Point]) {
    guard let first = points.first else { return }
    cairo_move_to(context, first.x, first.y)
    for point in points.dropFirst() { cairo_line_to(context, point.x, point.y) }
  }

  private func fill(_ color: Drawing.Color) {
    set(color)
    cairo_fill(context)
  }

  private func stroke(_ pen: Drawing.Pen) {
    set(pen.color)
    cairo_set_line_width(context, pen.width)
    cairo_stroke(context)
  }

  private func set(_ color: Drawing.Color) {
    cairo_set_source_rgba(
      context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255, color.opacity)
  }
}
