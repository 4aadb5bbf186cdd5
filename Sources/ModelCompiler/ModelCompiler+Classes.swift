import StrataFormats
import StrataModelSource

/// Class files for the user to keep, as Xcode generates them from a model.
extension ModelCompiler {
  /// The source files of a model's classes: `Name+CoreDataClass.swift` and `Name+CoreDataProperties.swift`.
  /// - Parameters:
  ///   - version: a version's name; nil for the current one.
  ///   - all: whether to include entities with manual code generation, and both files for all.
  ///   - scalars: whether all numbers are Swift numbers, whatever the model says.
  package static func classFiles(
    ofModelAt path: String, version: String? = nil, all: Bool = false, scalars: Bool = false
  ) throws(FileFormatError) -> [(name: String, text: String)] {
    let model = try ModelSource(at: path)
    let versions = [model.current] + model.older
    guard let document = versions.first(where: { $0.name == version ?? model.current.name })?.document else {
      throw FileFormatError(
        file: path,
        "the version \(version ?? "") does not exist; the versions are \(versions.map(\.name).joined(separator: ", "))")
    }
    return classFiles(of: document, all: all, scalars: scalars)
  }

  /// As ``classFiles(ofModelAt:version:all:scalars:)``, for a document.
  package static func classFiles(
    of given: ModelDocument, all: Bool = false, scalars: Bool = false
  ) -> [(name: String, text: String)] {
    var document = given
    if scalars { document.useScalars() }
    let classes = ClassFile(documents: [document])
    return document.entities.filter { $0.hasClass && (all || $0.codeGeneration != .manual) }.flatMap { entity in
      let properties = head + "\n" + classes.extensions(of: entity, in: document).drop { $0 == "\n" }
      let files = [(name: "\(entity.className)+CoreDataProperties.swift", text: properties)]
      guard all || entity.codeGeneration == .class else { return files }
      // The attribute precedes the class.
      let declaration = classes.declaration(of: entity, in: document).drop { $0 == "\n" }
      let name = "#if canImport(ObjectiveC)\n  @objc(\(entity.className))\n#endif\n"
      return [(name: "\(entity.className)+CoreDataClass.swift", text: head + "\n" + name + declaration)] + files
    }
  }

  /// Public API needs a public import where imports are internal by default.
  private static let head = "public import CoreData\npublic import Foundation\n"
}

extension ModelDocument {
  /// Makes all numbers scalars in generated code, as with Xcode's option "Use Scalar Type".
  fileprivate mutating func useScalars() {
    for entity in entities.indices {
      for attribute in entities[entity].attributes.indices where entities[entity].attributes[attribute].type.isNumber {
        entities[entity].attributes[attribute].usesScalarValueType = true
      }
    }
  }
}
