/// The names of the properties that key paths lead through.
enum KeyPathNames {

  /// Returns the names, none for the object itself; nil if the key path leads to something else than persisted properties.
  static func of(_ keyPath: AnyKeyPath, from model: any PersistentModel.Type) -> [String]? {
    guard let table = try? ModelTable.of(model) else { return nil }
    if let property = table[keyPath] { return [property.name] }
    return isIdentifier(keyPath, model) ? [] : nil
  }

  private static func isIdentifier(_ keyPath: AnyKeyPath, _ model: any PersistentModel.Type) -> Bool {
    func check<Model: PersistentModel>(_: Model.Type) -> Bool {
      keyPath == \Model.persistentModelID || keyPath == \Model.self
    }
    return check(model)
  }
}
