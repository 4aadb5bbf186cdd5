import Foundation

extension NSCopying where Self: NSExpression {
  /// What is found at a Swift key path: `\Quake.region?.name`. The model must be in use.
  ///
  /// A key path that is no path of the model's properties stops the program, as it does on Apple's systems.
  public init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
    do throws(UnreadableKeyPathError) {
      let names = try keyPath.propertyPath.names
      self.init(forKeyPath: names.isEmpty ? "SELF" : names.joined(separator: "."))
    } catch {
      fatalError("Could not extract a String from KeyPath \(keyPath): \(error)")
    }
  }
}
