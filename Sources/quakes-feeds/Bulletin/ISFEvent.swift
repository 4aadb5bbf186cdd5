import Foundation
import StrataQuakes

/// An event of a bulletin with what agencies say about it.
struct ISFEvent {
  /// The lines of a block that are kept. Agencies send a few dozen.
  private static let maximumLines = 1000

  let header: TextLine
  private var origins: [TextLine] = []
  private var magnitudes: [TextLine] = []
  /// The number of the preferred origin.
  private var prime: Int?

  init(_ header: TextLine) {
    self.header = header
  }

  /// Those with fields, in order.
  var lines: [TextLine] { [header] + origins + magnitudes }

  mutating func add(_ line: TextLine, in block: ISFBlock) {
    let isComment = line.bytes.first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "(")
    switch block {
    case .origins where isComment:
      if line.text(1...80).uppercased().contains("#PRIME"), !origins.isEmpty { prime = origins.count - 1 }
    case .origins where origins.count < Self.maximumLines: origins.append(line)
    case .magnitudes where !isComment && magnitudes.count < Self.maximumLines: magnitudes.append(line)
    default: break
    }
  }

  /// The event with its preferred origin: the one that is marked, or else the last. If that is damaged, the next one before
  /// it that is not.
  ///
  /// - Parameter title: the bulletin's.
  func draft(latest: Date, title: String?) -> EventDraft {
    var candidates = Array(origins.reversed())
    if let prime { candidates.insert(candidates.remove(at: origins.count - 1 - prime), at: 0) }
    var loss: (reason: FeedProblem.Reason, position: Int)?
    var first: EventDraft?
    for origin in candidates {
      var draft = EventDraft(latest: latest)
      fill(&draft, with: origin, title: title)
      var probe = draft
      guard let failure = probe.conclude(at: origin.start) else {
        if let loss { draft.note(loss.reason, at: loss.position) }
        return draft
      }
      (loss, first) = (loss ?? failure, first ?? draft)
    }
    if let first { return first }
    var draft = EventDraft(latest: latest)
    takeName(of: "", title: title, to: &draft)
    return draft
  }
}

// MARK: - Fields

extension ISFEvent {
  private func fill(_ draft: inout EventDraft, with origin: TextLine, title: String?) {
    takeName(of: origin.text(119...127), title: title, to: &draft)
    draft.take(.place, text: region, at: header.start)
    draft.takeTime(date: 1...10, time: 12...22, of: origin)
    draft.take(.rms, in: 31...35, of: origin)
    draft.take(.latitude, in: 37...44, of: origin)
    draft.take(.longitude, in: 46...54, of: origin)
    draft.take(.depth, in: 72...76, of: origin)
    draft.take(.nst, in: 89...92, of: origin)
    draft.take(.gap, in: 94...96, of: origin)
    draft.take(.dmin, in: 98...103, of: origin)
    switch origin.text(112...112).lowercased() {
    case "a": draft.take(.status, .text("automatic"), at: origin.position(112))
    case "m": draft.take(.status, .text("reviewed"), at: origin.position(112))
    default: break
    }
    draft.take(.evtype, .text(origin.text(116...117).lowercased()), at: origin.position(116))
    if let magnitude = magnitude(of: origin) {
      draft.take(.magnitude, in: 7...10, of: magnitude)
      draft.take(.magnitudeType, in: 1...5, of: magnitude)
    }
  }

  /// The text behind the number. Some numbers have more digits than the format's columns.
  private var region: String {
    let words = header.text(1...80).split(separator: " ", maxSplits: 2)
    return words.count > 2 ? String(words[2].drop { $0 == " " }) : ""
  }

  /// Among those of the origin, or all if none refers to it: a moment magnitude, or the one of the most stations.
  private func magnitude(of origin: TextLine) -> TextLine? {
    let id = origin.text(129...140)
    let own = id.isEmpty ? [] : magnitudes.filter { $0.text(31...42) == id }
    let candidates = (own.isEmpty ? magnitudes : own).filter { !$0.text(7...10).isEmpty }
    if let moment = candidates.first(where: { $0.text(1...5).lowercased().hasPrefix("mw") }) { return moment }
    func stations(_ line: TextLine) -> Int { Int(line.text(16...19)) ?? 0 }
    return candidates.reduce(nil) { best, line in
      best.map { stations(line) > stations($0) ? line : $0 } ?? line
    }
  }

  /// The number is the issuer's of the bulletin, which its title names: `ISC Bulletin`.
  private func takeName(of author: String, title: String?, to draft: inout EventDraft) {
    guard let code = header.text(1...80).split(separator: " ").dropFirst().first.map(String.init) else { return }
    let words = (title ?? "").lowercased().split { !$0.isLetter }
    if let issuer = ["isc", "idc"].first(where: { issuer in words.contains { $0 == issuer } }) {
      draft.take(EventName(code, ofService: issuer))
    } else {
      draft.take(EventName(code, of: [author]))
    }
  }
}
