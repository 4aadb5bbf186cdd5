/// A service's name for an event.
///
/// Network and code together are unique over all services, and the same in every format of one service.
struct EventName: Equatable, Sendable {
  /// The publisher of the event: `usgs`, `emsc`, …; `fdsn` for a service that is not known.
  var service: String
  /// A network of the USGS; for other services, which number their events themselves, the service.
  var network: String
  var code: String

  var identifier: String { network + code }

  /// An event of the USGS: the ID is the network and the network's code.
  ///
  /// - Returns: nil if the ID does not begin with the network.
  init?(usgs identifier: String, network: String) {
    guard !network.isEmpty, identifier.count > network.count, identifier.hasPrefix(network) else { return nil }
    (service, self.network, code) = ("usgs", network, String(identifier.dropFirst(network.count)))
  }

  /// An event of a service whose documents do not name it.
  init(_ code: String, ofService service: String) {
    (self.service, network, self.code) = (service, service, code)
  }

  /// An event of a service with IDs of its own.
  ///
  /// - Parameter words: names of the service in the document, the most specific first.
  init(_ identifier: String, of words: [String]) {
    let known = words.lazy.compactMap(Self.service).first
    service = known ?? "fdsn"
    network = known ?? words.lazy.map(Self.letters).first { !$0.isEmpty } ?? "fdsn"
    // GEOFON's IDs begin with their network already.
    code = identifier.hasPrefix(network) ? String(identifier.dropFirst(network.count)) : identifier
  }

  /// The service of an agency or an authority, such as `EMSC-RTS` or `webservices.ingv.it`; nil if it is not known.
  static func service(_ agency: String) -> String? {
    let words = agency.lowercased().split { !$0.isLetter && !$0.isNumber }
    let services = [
      "emsc": "emsc", "geofon": "gfz", "geonet": "geonet", "gfz": "gfz", "gns": "geonet", "ingv": "ingv",
    ]
    return words.lazy.compactMap { services[String($0)] }.first
  }

  /// At most 16 letters and digits, in lower case.
  private static func letters(_ agency: String) -> String {
    String(agency.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(16))
  }
}
