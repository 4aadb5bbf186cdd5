import Foundation
import Synchronization

/// A hash table of a long constant list's members, so that `IN` does not search the whole list.
///
/// The table only finds candidates; equality is decided by the values themselves, so the results always follow the
/// evaluation rules.
final class MemberTable: Sendable {
  /// Equal values have equal keys; the converse need not hold.
  enum Key: Hashable, Sendable {
    case null
    case number(Double)
    case text(String)
    case date(Double)
    case data(Data)
    case uuid(UUID)
    case row(UInt64)

    /// nil for values that must be compared with every member: a decimal, which compares with other numbers at
    /// different precisions, a list, an object by reference.
    init?(_ value: PredicateValue, _ options: ComparisonNode.Options) {
      switch value {
      case .null: self = .null
      case .bool(let flag): self = .number(flag ? 1 : 0)
      case .integer(let integer): self = .number(Double(integer))
      case .real(let real): self = .number(real)
      case .string(let text): self = .text(PredicateText.folded(text, options: options))
      case .url(let url): self = .text(PredicateText.folded(url.absoluteString, options: options))
      case .date(let date): self = .date(date.timeIntervalSinceReferenceDate)
      case .data(let data): self = .data(data)
      case .uuid(let uuid): self = .uuid(uuid)
      case .row(let bits): self = .row(bits)
      case .decimal, .list, .reference: return nil
      }
    }

    init?(_ result: PredicateResult, _ options: ComparisonNode.Options) {
      switch result {
      case .value(let value): self.init(value, options)
      case .subject(let subject) where subject.predicateContents == nil: self.init(subject.predicateIdentity, options)
      case .subject, .members, .unknownKey: return nil
      }
    }
  }

  private let members: [PredicateValue]
  private let options: ComparisonNode.Options
  private let indexes: [Key: [Int]]
  /// The indices of members without a key.
  private let others: [Int]

  init(_ members: [PredicateValue], options: ComparisonNode.Options) {
    self.members = members
    self.options = options
    var indexes: [Key: [Int]] = [:]
    var others: [Int] = []
    for (index, member) in members.enumerated() {
      if let key = Key(member, options) { indexes[key, default: []].append(index) } else { others.append(index) }
    }
    self.indexes = indexes
    self.others = others
  }

  /// Whether a member equals the value, by rules (2) and (4).
  func contains(_ value: PredicateResult) -> Bool {
    guard let key = Key(value, options) else { return members.contains { value.equals(.value($0), options: options) } }
    func isEqual(_ index: Int) -> Bool { value.equals(.value(members[index]), options: options) }
    return indexes[key]?.contains(where: isEqual) == true || others.contains(where: isEqual)
  }
}

/// A member table built on first use, because SQL does not need it. Does not take part in a comparison's equality.
struct LazyMemberTable: Hashable, Sendable {
  /// Shorter lists are searched faster without a table.
  static let minimumMembers = 17

  private final class Made: Sendable { let table = Mutex<MemberTable?>(nil) }
  private let made: Made

  /// - Returns: nil if the right side is not a constant list, or only a short one.
  init?(of comparison: ComparisonNode.Operator, _ right: ExpressionNode) {
    guard comparison == .in, case .value(.list(let members)) = right, members.count >= Self.minimumMembers else {
      return nil
    }
    made = Made()
  }

  func table(of members: [PredicateValue], _ options: ComparisonNode.Options) -> MemberTable {
    made.table.withLock { table in
      if let table { return table }
      let new = MemberTable(members, options: options)
      table = new
      return new
    }
  }

  static func == (left: LazyMemberTable, right: LazyMemberTable) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
