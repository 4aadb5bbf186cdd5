import StrataFileFormats
import StrataManagedModel
import StrataManagedSources

/// Classes for people to keep, in the files that Xcode makes of a model.
extension ModelCompiler {
  /// The files of a model's classes: `Name+CoreDataClass.swift` and `Name+CoreDataProperties.swift`.
  /// - Parameters:
  ///   - version: the name of a version; nil is the current one.
  ///   - all: whether entities whose class is manual get theirs too, and all get both files.
  package static func classFiles(
    ofModelAt path: String, version: String? = nil, all: Bool = false
  ) throws(FileFormatError) -> [(name: String, text: String)] {
    let model = try ModelSource(at: path)
    let versions = [model.current] + model.older
    guard let document = versions.first(where: { $0.name == version ?? model.current.name })?.document else {
      throw FileFormatError(
        file: path, "there is no version \(version ?? ""), only \(versions.map(\.name).joined(separator: ", "))")
    }
    let classes = ClassFile(documents: [document])
    return document.entities.filter { $0.hasClass && (all || $0.codeGeneration != .manual) }.flatMap { entity in
      let properties = head + "\n" + classes.extensions(of: entity, in: document).drop { $0 == "\n" }
      let files = [(name: "\(entity.className)+CoreDataProperties.swift", text: properties)]
      guard all || entity.codeGeneration == .class else { return files }
      // The attribute stands before the class.
      let declaration = classes.declaration(of: entity, in: document).drop { $0 == "\n" }
      let name = "#if canImport(ObjectiveC)\n  @objc(\(entity.className))\n#endif\n"
      return [(name: "\(entity.className)+CoreDataClass.swift", text: head + "\n" + name + declaration)] + files
    }
  }

  /// What is public needs a public import where imports are internal by default.
  private static let head = "public import CoreData\npublic import Foundation\n"
}
