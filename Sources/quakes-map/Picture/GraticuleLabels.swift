import StrataQuakesPicture

/// The degrees of a map's meridians, along its upper edge, and of its parallels, along the left one.
struct GraticuleLabels {
  private(set) var texts: [Drawing.Text] = []

  /// - Parameter taken: where there must not be texts.
  init(_ picture: MapPicture, taken: Drawing.Rectangle) {
    let (area, visible, size) = (picture.area, picture.projection.visible, picture.sizes.text)
    let graticule = Graticule(visible)
    func add(_ text: String, _ point: Drawing.Point?, _ start: (Drawing.Point) -> Drawing.Point) {
      guard let point else { return }
      let label = Drawing.Text(
        text, start: start(point), size: 0.9 * size, color: MapColors.dimText, halo: MapColors.halo)
      if area.contains(label.box), !taken.intersects(label.box),
        !texts.contains(where: { $0.box.intersects(label.box) })
      {
        texts.append(label)
      }
    }
    for longitude in graticule.longitudes {
      add(
        graticule.text(longitude, ("E", "W")), picture.point(latitude: visible.latitude, longitude: longitude)
      ) { Drawing.Point(x: $0.x + 0.3 * size, y: area.top + 1.2 * size) }
    }
    for latitude in graticule.latitudes {
      add(
        graticule.text(latitude, ("N", "S")), picture.point(latitude: latitude, longitude: visible.longitude)
      ) { Drawing.Point(x: area.left + 0.3 * size, y: $0.y - 0.3 * size) }
    }
  }
}
