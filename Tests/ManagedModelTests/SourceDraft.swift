import Foundation
import StrataFormats
import StrataManagedModel
import StrataModelSource
import StrataPredicates

/// The `contents` file of a model with the given elements, which start on line 2.
func source(_ elements: String) -> [UInt8] {
  Array("<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">\n\(elements)\n</model>".utf8)
}

func document(_ elements: String) throws -> ModelDocument {
  try ModelDocument(contents: source(elements), file: "contents")
}

/// The model of the given elements, which must produce no warning.
func model(_ elements: String, module: String? = nil) throws -> NSManagedObjectModel {
  let (model, warnings) = try document(elements).makeModel(module: module)
  guard warnings.isEmpty else { throw FileFormatError(file: "contents", "\(warnings)") }
  return model
}

/// The error message for invalid elements.
func problem(_ elements: String) -> String {
  do throws(FileFormatError) {
    _ = try ModelDocument(contents: source(elements), file: "contents").makeModel()
    return "none"
  } catch {
    return "\(error)"
  }
}

/// An entity with one attribute, given by its further XML attributes.
func parsedAttribute(_ words: String, _ inner: String = "") throws -> NSAttributeDescription {
  let model = try model("<entity name=\"E\"><attribute name=\"a\" \(words)>\(inner)</attribute></entity>")
  guard let attribute = model.entities[0].attributesByName["a"] else {
    throw FileFormatError(file: "contents", "the attribute does not exist")
  }
  // Descriptions do not retain their model; this one is not needed.
  return attribute
}

/// A predicate's text; Foundation's own property is deprecated on Linux.
func text(_ predicate: NSPredicate?) -> String { (try? predicate?.tree.description) ?? "none" }

/// A temporary folder, deleted after the test.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}
