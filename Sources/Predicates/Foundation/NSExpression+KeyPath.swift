import Foundation

extension NSCopying where Self: NSExpression {
  /// Creates an expression for the value at a Swift key path: `\Quake.region?.name`. The model must be in use.
  ///
  /// As on Apple's platforms, a key path that is not made of the model's properties stops the program.
  public init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
    do throws(UnreadableKeyPathError) {
      let names = try keyPath.propertyPath.names
      self.init(forKeyPath: names.isEmpty ? "SELF" : names.joined(separator: "."))
    } catch {
      fatalError("Could not extract a String from KeyPath \(keyPath): \(error)")
    }
  }
}
