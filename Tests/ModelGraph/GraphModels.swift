import Foundation
import SwiftData

// The models of the test: every kind of relationship, and all delete rules. A key identifies an object in every context and
// store; it never changes.

protocol GraphModel: PersistentModel {
  var key: Int { get }
  var name: String { get set }
  var number: Int? { get set }

  static func predicate(_ query: Query) -> Predicate<Self>
  /// By the number, the greatest first, and by the key.
  static var byNumber: [SortDescriptor<Self>] { get }
}

@Model final class GraphTeam: GraphModel {
  var key: Int
  var name: String = ""
  var number: Int?
  @Relationship(inverse: \GraphPerson.team) var people: [GraphPerson] = []
  @Relationship(deleteRule: .cascade, inverse: \GraphTask.team) var tasks: [GraphTask] = []
  @Relationship(inverse: \GraphTag.teams) var tags: [GraphTag] = []
  var parent: GraphTeam?
  @Relationship(deleteRule: .cascade, inverse: \GraphTeam.parent) var children: [GraphTeam] = []

  init(key: Int) { self.key = key }
}

@Model final class GraphPerson: GraphModel {
  var key: Int
  var name: String = ""
  var number: Int?
  var mentor: GraphPerson?
  @Relationship(inverse: \GraphPerson.mentor) var students: [GraphPerson] = []
  @Relationship(deleteRule: .cascade, inverse: \GraphBadge.person) var badge: GraphBadge?
  @Relationship(deleteRule: .deny, inverse: \GraphTask.assignee) var tasks: [GraphTask] = []
  var team: GraphTeam?
  /// Without an inverse.
  var favorite: GraphTag?

  init(key: Int) { self.key = key }
}

@Model final class GraphBadge: GraphModel {
  var key: Int
  var name: String = ""
  var number: Int?
  @Attribute(.unique) var code: String
  var person: GraphPerson?

  init(key: Int, code: String) { (self.key, self.code) = (key, code) }
}

@Model final class GraphTask: GraphModel {
  var key: Int
  var name: String = ""
  var number: Int?
  /// Required.
  var team: GraphTeam
  var assignee: GraphPerson?

  init(key: Int, team: GraphTeam) { (self.key, self.team) = (key, team) }
}

@Model final class GraphTag: GraphModel {
  var key: Int
  var name: String = ""
  var number: Int?
  var teams: [GraphTeam] = []

  init(key: Int) { self.key = key }
}

/// Each save inserts one, so that the test can wait until the other contexts have merged it.
@Model final class GraphClock {
  var tick: Int

  init(tick: Int) { self.tick = tick }
}
