import StrataQuakes

/// The forms that are a JSON object on one line.
extension SummaryForm {
  /// https://man.archlinux.org/man/waybar-custom.5: text and tooltip are Pango markup.
  static func waybar(_ line: BarLine) -> String {
    object { json in
      json.string("text", XMLText.escaped(line.text))
      json.string("alt", line.classes.first)
      json.string("tooltip", line.tooltip.map(XMLText.escaped).joined(separator: "\n"))
      json.array("class") { array in for name in line.classes { array.string(name) } }
      json.integer("percentage", line.percentage)
    }
  }

  /// A block of https://i3wm.org/docs/i3bar-protocol.html.
  static func i3Block(_ line: BarLine) -> String {
    object { json in
      json.string("name", "quakes")
      json.string("full_text", line.text)
      json.string("short_text", line.short)
      if let color = line.color { json.string("color", color) }
      json.bool("urgent", line.isUrgent)
      json.string("markup", "none")
    }
  }

  /// The block `custom` with `json = true`: its usual format takes the text for Pango markup.
  static func i3statusRust(_ line: BarLine) -> String {
    object { json in
      json.string("state", state(line))
      json.string("text", XMLText.escaped(line.text))
      json.string("short_text", XMLText.escaped(line.short))
    }
  }

  private static func state(_ line: BarLine) -> String {
    if line.isStale { return "Warning" }
    switch line.step {
    case .unknown, .micro, .light: return "Idle"
    case .moderate: return "Info"
    case .strong: return "Warning"
    case .major: return "Critical"
    }
  }

  private static func object(_ members: (inout JSONText) -> Void) -> String {
    var json = JSONText()
    json.object(nil, members)
    return json.text
  }
}
