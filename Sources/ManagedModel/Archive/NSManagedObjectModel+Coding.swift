import Foundation

/// A model in an archive of a program's own, whole and as one piece: the form that programs carry models in.
extension NSManagedObjectModel {
  package static let archiveKey = "model"

  public static var supportsSecureCoding: Bool { true }

  /// Writes the model. What has no text stops the program: a predicate made of a block, a default value of a class of the
  /// program's own.
  public func encode(with coder: NSCoder) {
    do throws(ModelArchiveError) {
      coder.encode(NSData(data: Data(try ModelArchive.bytes(of: self))), forKey: Self.archiveKey)
    } catch {
      fatalError("The model cannot be archived: \(error)")
    }
  }
}
