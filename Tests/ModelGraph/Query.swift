import Foundation
import SwiftData

/// A condition of a fetch.
enum Query {
  case all
  case key(Int)
  case number(Int?)
  case nameBefore(String)
  /// By the key at the other end of the relationship that `Kind.queried` names.
  case related(Int)

  /// Returns the objects of a graph that the condition selects.
  func keys(_ kind: Kind, in graph: PlainGraph) -> [Int] {
    graph.liveKeys(kind).filter { key in
      guard let record = graph.records[key] else { return false }
      return switch self {
      case .all: true
      case .key(let value): key == value
      case .number(let number): record.number == number
      case .nameBefore(let name): record.name < name
      case .related(let other): graph.targets(kind.queried, of: key).contains(other)
      }
    }
  }
}

extension Kind {
  /// The relationship of `Query.related`.
  var queried: String {
    switch self {
    case .team: "people"
    case .person, .task: "team"
    case .badge: "person"
    case .tag: "teams"
    }
  }
}

// Predicates and sorts have the class's own key paths: a protocol's would be others.

extension GraphTeam {
  static func predicate(_ query: Query) -> Predicate<GraphTeam> {
    switch query {
    case .all: return .true
    case .key(let key): return #Predicate<GraphTeam> { $0.key == key }
    case .number(let number): return #Predicate<GraphTeam> { $0.number == number }
    case .nameBefore(let name): return #Predicate<GraphTeam> { $0.name < name }
    case .related(let key): return #Predicate<GraphTeam> { $0.people.contains { $0.key == key } }
    }
  }

  static var byNumber: [SortDescriptor<GraphTeam>] {
    [SortDescriptor(\.number, order: .reverse), SortDescriptor(\.key)]
  }
}

extension GraphPerson {
  static func predicate(_ query: Query) -> Predicate<GraphPerson> {
    switch query {
    case .all: return .true
    case .key(let key): return #Predicate<GraphPerson> { $0.key == key }
    case .number(let number): return #Predicate<GraphPerson> { $0.number == number }
    case .nameBefore(let name): return #Predicate<GraphPerson> { $0.name < name }
    case .related(let key): return #Predicate<GraphPerson> { $0.team?.key == key }
    }
  }

  static var byNumber: [SortDescriptor<GraphPerson>] {
    [SortDescriptor(\.number, order: .reverse), SortDescriptor(\.key)]
  }
}

extension GraphBadge {
  static func predicate(_ query: Query) -> Predicate<GraphBadge> {
    switch query {
    case .all: return .true
    case .key(let key): return #Predicate<GraphBadge> { $0.key == key }
    case .number(let number): return #Predicate<GraphBadge> { $0.number == number }
    case .nameBefore(let name): return #Predicate<GraphBadge> { $0.name < name }
    case .related(let key): return #Predicate<GraphBadge> { $0.person?.key == key }
    }
  }

  static var byNumber: [SortDescriptor<GraphBadge>] {
    [SortDescriptor(\.number, order: .reverse), SortDescriptor(\.key)]
  }
}

extension GraphTask {
  static func predicate(_ query: Query) -> Predicate<GraphTask> {
    switch query {
    case .all: return .true
    case .key(let key): return #Predicate<GraphTask> { $0.key == key }
    case .number(let number): return #Predicate<GraphTask> { $0.number == number }
    case .nameBefore(let name): return #Predicate<GraphTask> { $0.name < name }
    case .related(let key): return #Predicate<GraphTask> { $0.team.key == key }
    }
  }

  static var byNumber: [SortDescriptor<GraphTask>] {
    [SortDescriptor(\.number, order: .reverse), SortDescriptor(\.key)]
  }
}

extension GraphTag {
  static func predicate(_ query: Query) -> Predicate<GraphTag> {
    switch query {
    case .all: return .true
    case .key(let key): return #Predicate<GraphTag> { $0.key == key }
    case .number(let number): return #Predicate<GraphTag> { $0.number == number }
    case .nameBefore(let name): return #Predicate<GraphTag> { $0.name < name }
    case .related(let key): return #Predicate<GraphTag> { $0.teams.contains { $0.key == key } }
    }
  }

  static var byNumber: [SortDescriptor<GraphTag>] {
    [SortDescriptor(\.number, order: .reverse), SortDescriptor(\.key)]
  }
}
