import Foundation

/// A model in a program's own archive, as one opaque value in the embedded format.
extension NSManagedObjectModel {
  package static let archiveKey = "model"

  /// True: a model can be archived with secure coding.
  public static var supportsSecureCoding: Bool { true }

  /// Archives the model.
  ///
  /// A predicate made of a block, or a default value of a class that cannot be archived, stops the program.
  public func encode(with coder: NSCoder) {
    do throws(ModelArchiveError) {
      coder.encode(NSData(data: Data(try ModelArchive.bytes(of: self))), forKey: Self.archiveKey)
    } catch {
      fatalError("The model cannot be archived: \(error)")
    }
  }
}
