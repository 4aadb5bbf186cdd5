/// The resource identifiers of QuakeML and Atom: `smi:authority/path`, `quakeml:authority/path?eventid=1`, or
/// `urn:earthquake-usgs-gov:us:7000abcd`.
extension EventName {
  /// - Parameter agency: who made the event, if the document says so.
  /// - Returns: nil if the text names nothing.
  init?(publicID: String, agency: String?) {
    let parts = publicID.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 4, parts[1] == "earthquake-usgs-gov" {
      self.init(usgs: parts[2] + parts[3], network: parts[2])
      return
    }
    let rest = parts.count > 1 ? parts.dropFirst().joined(separator: ":") : publicID
    // IDs of SeisComP have no authority, but begin with a network.
    let authority =
      rest.contains("/")
      ? String(rest.drop { $0 == "/" }.prefix { $0 != "/" }) : String(rest.prefix { $0.isASCII && $0.isLetter })
    guard let code = Self.code(of: rest) else { return nil }
    let network = agency?.lowercased() ?? ""
    if authority.contains("usgs.gov") {
      // Without an agency two letters are the likely network; codes of the network `us` begin with one letter at most.
      let likely = String(code.prefix(2))
      if let name = EventName(usgs: code, network: network) {
        self = name
      } else if likely.allSatisfy({ $0.isASCII && $0.isLetter }), let name = EventName(usgs: code, network: likely) {
        self = name
      } else {
        // The agencies of the USGS itself, USGS and NEIC, have the network us.
        let isNetwork = network.utf8.count == 2 && network.allSatisfy { $0.isASCII && $0.isLetter }
        let prefix = isNetwork ? network : "us"
        self.init(usgs: prefix + code, network: prefix)
      }
    } else {
      self.init(code, of: [authority, agency ?? ""])
    }
  }

  /// The parameter `eventid`, or what follows the last `/` or `=`.
  private static func code(of path: String) -> String? {
    for part in path.split(whereSeparator: { $0 == "?" || $0 == "&" }) where part.lowercased().hasPrefix("eventid=") {
      return part.count > 8 ? String(part.dropFirst(8)) : nil
    }
    return path.split(whereSeparator: { $0 == "/" || $0 == "=" }).last.map(String.init)
  }
}
