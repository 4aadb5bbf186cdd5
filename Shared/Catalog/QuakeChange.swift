import Foundation

/// The changes that one state of an earthquake made.
public struct QuakeChange: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case new, revised
    /// The service changed it without a new `updated`.
    case silent
    case renamed, retracted, returned, merged, joined, separated
  }

  public var kind: Kind
  public var said: Date
  public var learnt: Date
  /// nil for the first state.
  public var before: QuakeState?
  public var after: QuakeState

  public init(_ record: RecordedState, after former: RecordedState?) {
    (said, learnt, after, before) = (record.said, record.learnt, record.state, former?.state)
    kind = former.map { Self.kind(from: $0.state, to: record.state) } ?? .new
  }

  private static func kind(from before: QuakeState, to after: QuakeState) -> Kind {
    switch (before.standing, after.standing) {
    case (let old, let new) where old == new: break
    case (_, .retracted): return .retracted
    case (_, .merged): return .merged
    case (_, .joined): return .joined
    case (.joined, .live): return .separated
    case (_, .live): return .returned
    }
    if before[.identifier] != after[.identifier] { return .renamed }
    return before[.updated] == after[.updated] ? .silent : .revised
  }

  /// The earthquake's ID after the change.
  public var identifier: String { after.text(.identifier) ?? "" }

  /// The fields that changed; empty for the first state.
  public var fields: [QuakeField] {
    guard let before else { return [] }
    return QuakeField.allCases.filter { before[$0] != after[$0] }
  }
}

extension QuakeChange {
  /// The changes of a history, in its order.
  public static func changes(in history: [RecordedState]) -> [QuakeChange] {
    history.indices.map { QuakeChange(history[$0], after: $0 > 0 ? history[$0 - 1] : nil) }
  }

  /// The changes for display, such as `magnitude 4.4 → 4.6, place A → B`; for the first state, its values.
  public func text(_ style: DisplayStyle = DisplayStyle()) -> String {
    guard let before else { return "M \(after.facts.magnitudeText) \(after.facts.placeText)" }
    let shown = fields.filter { !$0.stored.isHiddenInHistory }
    let parts = shown.map { Self.text(of: $0, from: before[$0], to: after[$0], style) }
    let reason = after.standing == before.standing ? nil : after.text(.standingReason)
    let all = (reason.map { [$0] } ?? []) + parts
    if !all.isEmpty { return Terminal.printable(all.joined(separator: ", ")) }
    return fields.map(\.stored.displayName).joined(separator: ", ")
  }

  private static func text(
    of field: QuakeField, from old: QuakeState.Value?, to new: QuakeState.Value?, _ style: DisplayStyle
  ) -> String {
    var texts = [old, new].map { text($0, of: field, style) }
    // Differences are visible.
    if texts[0] == texts[1] { texts = [old, new].map { text($0, of: field, style, isExact: true) } }
    return "\(field.stored.displayName) \(texts[0]) → \(texts[1])"
  }

  private static func text(
    _ value: QuakeState.Value?, of field: QuakeField, _ style: DisplayStyle, isExact: Bool = false
  ) -> String {
    switch value {
    case .number(let number)? where field == .depth && !isExact: style.distance(number, hasTenths: true)
    case .number(let number)? where field == .depth: "\(number) km"
    case .number(let number)?: DecimalText.shortest(number)
    case .text(let text)?: text
    case .date(let date)?: style.time(date, hasMilliseconds: isExact)
    case nil: "unknown"
    }
  }
}

extension JSONText {
  /// One change, with the former and the new values of its fields.
  ///
  /// - Parameter quake: the state that the change led to, as programs read it.
  public mutating func change(_ change: QuakeChange, quake: QuakeFacts) {
    object { json in
      json.string("id", change.identifier)
      json.string("kind", change.kind.rawValue)
      json.date("said", change.said)
      json.date("learnt", change.learnt)
      json.object("fields") { fields in
        for field in change.fields {
          fields.object(field.name) { pair in
            pair.value("from", change.before?[field])
            pair.value("to", change.after[field])
          }
        }
      }
      if change.before == nil { json.quake("quake", quake) }
    }
  }

  private mutating func value(_ key: String, _ value: QuakeState.Value?) {
    switch value {
    case .number(let number)?: self.number(key, number)
    case .text(let text)?: string(key, text)
    case .date(let date)?: self.date(key, date)
    case nil: string(key, nil)
    }
  }
}
