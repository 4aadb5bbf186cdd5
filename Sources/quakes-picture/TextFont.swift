import StrataCCairo

/// The system's sans-serif font, and other fonts for the characters that it lacks.
///
/// Scripts whose letters are joined or reordered are written letter by letter: cairo alone does not shape text.
final class TextFont: Sendable {
  static let sans = TextFont()

  /// - Note: Fontconfig and cairo permit the use of both by several threads.
  private struct Face: @unchecked Sendable {
    let face: OpaquePointer
    /// nil for a font of unknown characters.
    let characters: OpaquePointer?

    func has(_ scalar: Unicode.Scalar) -> Bool {
      guard let characters else { return true }
      return FcCharSetHasChar(characters, scalar.value) != 0
    }
  }

  /// The preferred one first; one at least.
  private let faces: [Face]

  /// Fonts by the names of their families, the preferred one first, with the characters that each has as an `FcCharSet`.
  init(_ families: [(name: String, characters: OpaquePointer?)]) {
    faces = families.map { Self.face(family: $0.name, characters: $0.characters) }
  }

  private init() {
    var faces: [Face] = []
    let pattern = FcNameParse("sans-serif")
    FcConfigSubstitute(nil, pattern, FcMatchPattern)
    FcDefaultSubstitute(pattern)
    var result = FcResultNoMatch
    if let fonts = FcFontSort(nil, pattern, FcBool(1), nil, &result) {
      for index in 0..<Int(fonts.pointee.nfont) { Self.face(fonts.pointee.fonts[index]).map { faces.append($0) } }
    }
    FcPatternDestroy(pattern)
    // On a system without fonts: cairo has one of its own, with the letters of ASCII.
    if faces.isEmpty { faces = [Self.face(family: "@cairo:", characters: nil)] }
    self.faces = faces
  }

  private static func face(_ font: OpaquePointer?) -> Face? {
    var (family, characters): (UnsafeMutablePointer<UInt8>?, OpaquePointer?)
    guard FcPatternGetString(font, FC_FAMILY, 0, &family) == FcResultMatch, let family,
      FcPatternGetCharSet(font, FC_CHARSET, 0, &characters) == FcResultMatch, let characters
    else { return nil }
    // The list of fonts stays, and the characters with it.
    return face(family: String(cString: family), characters: characters)
  }

  private static func face(family: String, characters: OpaquePointer?) -> Face {
    Face(
      face: cairo_toy_font_face_create(family, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL),
      characters: characters)
  }

  /// The parts of a text that one font can write each. A character that all fonts lack is in the preferred one, which has
  /// a box for it.
  func runs(_ text: String) -> [(face: OpaquePointer, text: String)] {
    var (runs, last): ([(face: Int, text: String)], Int?) = ([], nil)
    for character in text {
      let index = faceIndex(of: character, after: last)
      if index == last { runs[runs.count - 1].text.append(character) } else { runs.append((index, String(character))) }
      last = index
    }
    return runs.map { (faces[$0.face].face, $0.text) }
  }

  private func faceIndex(of character: Character, after last: Int?) -> Int {
    // A space does not change the font.
    if let last, character == " " { return last }
    return faces.firstIndex { face in character.unicodeScalars.allSatisfy(face.has) }
      ?? faces.firstIndex { face in character.unicodeScalars.first.map(face.has) ?? false } ?? 0
  }

  func width(of text: String, size: Double) -> Double {
    runs(text).reduce(0) { sum, run in
      var (scale, plain) = (cairo_matrix_t(), cairo_matrix_t())
      cairo_matrix_init_scale(&scale, size, size)
      cairo_matrix_init_identity(&plain)
      let options = Self.options()
      let font = cairo_scaled_font_create(run.face, &scale, &plain, options)
      var extents = cairo_text_extents_t()
      cairo_scaled_font_text_extents(font, run.text, &extents)
      cairo_scaled_font_destroy(font)
      cairo_font_options_destroy(options)
      return sum + extents.x_advance
    }
  }

  /// Letters of the same shapes and distances wherever they stand.
  static func options() -> OpaquePointer? {
    let options = cairo_font_options_create()
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    return options
  }
}
