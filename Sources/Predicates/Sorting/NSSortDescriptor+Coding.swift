import Foundation

/// Archiving of sort descriptors, which Foundation on Linux lacks.
extension NSSortDescriptor: @retroactive NSSecureCoding {
  /// True: sort descriptors support secure coding.
  public static var supportsSecureCoding: Bool { true }

  /// Archives the descriptor. One with a closure, or with a Swift key path that names no property, stops the program.
  public func encode(with coder: NSCoder) {
    guard let sort = try? fetchable else {
      return coder.failWithError(
        CocoaError(
          .coderInvalidValue,
          userInfo: [NSLocalizedDescriptionKey: "No archive can hold the sort descriptor \(self)."]))
    }
    if !sort.keyPath.isEmpty { coder.encode(NSString(string: sort.keyPath.joined(separator: ".")), forKey: "NSKey") }
    coder.encode(sort.isAscending, forKey: "NSAscending")
    coder.encode(NSString(string: sort.comparison.selector.description), forKey: "NSSelector")
  }

  fileprivate static func read(from coder: NSCoder) -> NSSortDescriptor? {
    guard let selector = coder.decodeObject(of: NSString.self, forKey: "NSSelector") as String? else { return nil }
    return NSSortDescriptor(
      key: coder.containsValue(forKey: "NSKey")
        ? coder.decodeObject(of: NSString.self, forKey: "NSKey").map { $0 as String } : nil,
      ascending: coder.decodeBool(forKey: "NSAscending"), selector: Selector(selector))
  }
}

extension NSObjectProtocol where Self: NSSortDescriptor {
  /// Creates a sort descriptor from an archive; nil if the archive has no sort descriptor.
  public init?(coder: NSCoder) {
    guard let read = NSSortDescriptor.read(from: coder), read is Self else { return nil }
    self.init(replacedBy: read)
  }
}
