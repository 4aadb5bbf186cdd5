import SwiftData

/// The classes of the test.
enum Kind: String, CaseIterable {
  case team, person, badge, task, tag

  var type: any GraphModel.Type {
    switch self {
    case .team: GraphTeam.self
    case .person: GraphPerson.self
    case .badge: GraphBadge.self
    case .task: GraphTask.self
    case .tag: GraphTag.self
    }
  }

  var links: [Link] { Link.all[self] ?? [] }

  func link(_ name: String) -> Link {
    guard let link = links.first(where: { $0.name == name }) else { fatalError("There is no \(rawValue).\(name).") }
    return link
  }

  init(of model: any GraphModel) {
    guard let kind = Self.allCases.first(where: { $0.type == Swift.type(of: model) }) else {
      fatalError("\(Swift.type(of: model)) is not a class of the test.")
    }
    self = kind
  }
}

/// A relationship of the test's models: its properties, and how it is read and written.
struct Link: Sendable {
  enum Rule { case nullify, cascade, deny }

  let name: String
  let destination: Kind
  let isToMany: Bool
  var isRequired = false
  let inverse: String?
  var rule = Rule.nullify
  let read: @Sendable (any GraphModel) -> [any GraphModel]
  let write: @Sendable (any GraphModel, [any GraphModel]) -> Void

  static func one<Model: GraphModel, Other: GraphModel>(
    _ name: String, _ path: ReferenceWritableKeyPath<Model, Other?> & Sendable, to destination: Kind,
    _ inverse: String?,
    _ rule: Rule = .nullify
  ) -> Link {
    Link(
      name: name, destination: destination, isToMany: false, inverse: inverse, rule: rule,
      read: { ($0 as? Model)?[keyPath: path].map { [$0] } ?? [] },
      write: { ($0 as? Model)?[keyPath: path] = $1.first as? Other })
  }

  static func required<Model: GraphModel, Other: GraphModel>(
    _ name: String, _ path: KeyPath<Model, Other> & Sendable, to destination: Kind, _ inverse: String,
    write: @escaping @Sendable (Model, Other) -> Void
  ) -> Link {
    Link(
      name: name, destination: destination, isToMany: false, isRequired: true, inverse: inverse,
      read: { ($0 as? Model).map { [$0[keyPath: path]] } ?? [] },
      // Not by the key path, which would read the old value: there may be none.
      write: { if let model = $0 as? Model, let other = $1.first as? Other { write(model, other) } })
  }

  static func many<Model: GraphModel, Other: GraphModel>(
    _ name: String, _ path: ReferenceWritableKeyPath<Model, [Other]> & Sendable, to destination: Kind,
    _ inverse: String,
    _ rule: Rule = .nullify
  ) -> Link {
    Link(
      name: name, destination: destination, isToMany: true, inverse: inverse, rule: rule,
      read: { ($0 as? Model)?[keyPath: path] ?? [] },
      write: { ($0 as? Model)?[keyPath: path] = $1.compactMap { $0 as? Other } })
  }

  static let all: [Kind: [Link]] = [
    .team: [
      many("people", \GraphTeam.people, to: .person, "team"),
      many("tasks", \GraphTeam.tasks, to: .task, "team", .cascade),
      many("tags", \GraphTeam.tags, to: .tag, "teams"),
      one("parent", \GraphTeam.parent, to: .team, "children"),
      many("children", \GraphTeam.children, to: .team, "parent", .cascade),
    ],
    .person: [
      one("mentor", \GraphPerson.mentor, to: .person, "students"),
      many("students", \GraphPerson.students, to: .person, "mentor"),
      one("badge", \GraphPerson.badge, to: .badge, "person", .cascade),
      many("tasks", \GraphPerson.tasks, to: .task, "assignee", .deny),
      one("team", \GraphPerson.team, to: .team, "people"),
      one("favorite", \GraphPerson.favorite, to: .tag, nil),
    ],
    .badge: [one("person", \GraphBadge.person, to: .person, "badge")],
    .task: [
      required("team", \GraphTask.team, to: .team, "tasks") { $0.team = $1 },
      one("assignee", \GraphTask.assignee, to: .person, "tasks"),
    ],
    .tag: [many("teams", \GraphTag.teams, to: .team, "tags")],
  ]
}
