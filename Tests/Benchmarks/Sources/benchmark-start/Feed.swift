import BenchmarkEvents
import Foundation

/// Feeds in the USGS format, for a store of any size.
enum Feed {
  /// Returns the generated events in `range`. The last of all `count` events is one minute ago.
  static func geoJSON(_ range: Range<Int>, of count: Int) -> Data {
    let now = Date().timeIntervalSince1970
    var text = #"{"type":"FeatureCollection","metadata":{"generated":\#(Int(now * 1_000)),"count":\#(range.count)},"#
    text += #""features":["#
    for index in range {
      let event = Event(index)
      let time = Int((now - 60 - Double(count - 1 - index) * 300) * 1_000)
      if index > range.lowerBound { text += "," }
      text += """
        {"type":"Feature","properties":{"mag":\(event.magnitude),"place":"\(event.place)","time":\(time),\
        "updated":\(time + 60_000),"status":"\(event.status)","type":"\(event.type)","sig":\(event.significance),\
        "net":"\(event.net)","code":"\(event.ident)","ids":",\(event.ident),","title":"\(event.place)"},\
        "geometry":{"type":"Point","coordinates":[\(event.longitude),\(event.latitude),\(event.depth)]},\
        "id":"\(event.ident)"}
        """
    }
    return Data((text + "]}").utf8)
  }
}
