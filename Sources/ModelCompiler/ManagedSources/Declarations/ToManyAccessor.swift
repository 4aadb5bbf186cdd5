/// The action of a `@NSManaged` function on a to-many relationship, by its name or by its selector as Xcode writes
/// them.
struct ToManyAccessor {
  enum Action { case add, remove, insert, removeAt, replace, move }

  var action: Action
  var key: String

  /// - Returns: nil if the function is not a to-many accessor.
  init?(_ declaration: ManagedDeclaration, parameters: [ManagedDeclaration.Parameter]) {
    let name: String
    if let selector = declaration.selector {
      name = selector
    } else {
      name = declaration.name + "(" + parameters.map { "\($0.label ?? "_"):" }.joined() + ")"
    }
    guard let match = Self.forms.lazy.compactMap({ form in Self.match(form, in: name) }).first else { return nil }
    self = match
  }

  private init(action: Action, key: String) {
    self.action = action
    self.key = key
  }

  /// The forms, with `*` for the relationship; the first match wins.
  private static let forms: [(Action, String)] = [
    // Swift names that Xcode generates.
    (.add, "addTo*(_:)"), (.remove, "removeFrom*(_:)"), (.insert, "insertInto*(_:at:)"),
    (.removeAt, "removeFrom*(at:)"), (.replace, "replace*(at:with:)"), (.move, "move*(at:to:)"),
    // Selectors, and the Swift names that older versions of Xcode generated.
    (.insert, "insertObject:in*AtIndex:"), (.insert, "insertObject(_:in*AtIndex:)"),
    (.insert, "insert*:atIndexes:"), (.insert, "insert*(_:atIndexes:)"),
    (.removeAt, "removeObjectFrom*AtIndex:"), (.removeAt, "removeObjectFrom*AtIndex(_:)"),
    (.removeAt, "remove*AtIndexes:"), (.removeAt, "remove*AtIndexes(_:)"),
    (.replace, "replaceObjectIn*AtIndex:withObject:"), (.replace, "replaceObjectIn*AtIndex(_:withObject:)"),
    (.replace, "replace*AtIndexes:with*:"), (.replace, "replace*AtIndexes(_:with*:)"),
    (.add, "add*Object:"), (.add, "add*Object(_:)"), (.remove, "remove*Object:"), (.remove, "remove*Object(_:)"),
    (.add, "add*:"), (.add, "add*(_:)"), (.remove, "remove*:"), (.remove, "remove*(_:)"),
  ]

  private static func match(_ form: (action: Action, pattern: String), in name: String) -> ToManyAccessor? {
    let parts = form.pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1, name.hasPrefix(parts[0]) else { return nil }
    let rest = name.dropFirst(parts[0].count)
    // The match must leave a name for the relationship.
    let word = rest.prefix { $0 != ":" && $0 != "(" }
    for length in stride(from: word.count, to: 0, by: -1) {
      let key = word.prefix(length)
      guard parts.joined(separator: String(key)) == name, key.first?.isLowercase == false else { continue }
      return ToManyAccessor(action: form.action, key: key.lowercasedFirst)
    }
    return nil
  }

  // MARK: The call it makes

  /// The call, with parameters named `first` and `second`; nil if their types do not fit.
  func body(_ types: [SwiftType], key: String) -> String? {
    switch action {
    case .add, .remove:
      let verb = action == .add ? "add" : "remove"
      guard let type = types.first else { return nil }
      if let members = members(type, named: "first") { return "_\(verb)Objects(\(members), \(key))" }
      return type.isObject ? "_\(verb)Object(first, \(key))" : nil
    case .insert: return insert(types, key: key)
    case .removeAt:
      guard let type = types.first else { return nil }
      if type.systemName == "Int" { return "_removeObject(at: first, \(key))" }
      return indexes(type, named: "first").map { "_removeObjects(at: \($0), \(key))" }
    case .replace: return replace(types, key: key)
    case .move:
      guard types.count == 2, types[1].systemName == "Int" else { return nil }
      return indexes(types[0], named: "first").map { "_moveObjects(at: \($0), to: second, \(key))" }
    }
  }

  private func insert(_ types: [SwiftType], key: String) -> String? {
    guard types.count == 2 else { return nil }
    if types[1].systemName == "Int" { return types[0].isObject ? "_insertObject(first, at: second, \(key))" : nil }
    guard let indexes = indexes(types[1], named: "second"), let list = list(types[0], named: "first") else {
      return nil
    }
    return "_insertObjects(\(list), at: \(indexes), \(key))"
  }

  private func replace(_ types: [SwiftType], key: String) -> String? {
    guard types.count == 2 else { return nil }
    if types[0].systemName == "Int" {
      return types[1].isObject ? "_replaceObject(at: first, with: second, \(key))" : nil
    }
    guard let indexes = indexes(types[0], named: "first"), let list = list(types[1], named: "second") else {
      return nil
    }
    return "_replaceObjects(at: \(indexes), with: \(list), \(key))"
  }

  private func indexes(_ type: SwiftType, named name: String) -> String? {
    switch type.systemName {
    case "NSIndexSet": name
    case "IndexSet": "NSIndexSet(indexes: \(name))"
    default: nil
    }
  }

  /// An expression for members as an array of objects.
  private func list(_ type: SwiftType, named name: String) -> String? {
    guard case .nominal(let nominal, let arguments) = type, nominal.letter == "a", arguments.first?.isObject == true
    else { return nil }
    return name
  }

  /// An expression for members as a Foundation collection.
  private func members(_ type: SwiftType, named name: String) -> String? {
    switch type.systemName {
    case "NSSet", "NSOrderedSet", "NSMutableSet", "NSMutableOrderedSet": return name
    default: break
    }
    guard case .nominal(let nominal, let arguments) = type, arguments.first?.isObject == true else { return nil }
    switch nominal.letter {
    case "h": return "NSSet(array: Array(\(name)))"
    case "a": return "NSOrderedSet(array: \(name))"
    default: return nil
    }
  }
}

extension SwiftType {
  /// Whether the type may be a class of managed objects.
  var isObject: Bool {
    guard case .nominal(let nominal, let arguments) = self, arguments.isEmpty else { return false }
    return nominal.kind == .class && systemName == nil
  }
}
