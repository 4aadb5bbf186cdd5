import StrataFormats
import StrataModelSource
import StrataPredicates

extension ModelDocument {
  /// Builds the model that the document describes.
  /// - Parameter module: the module that a leading dot in a class name stands for; if nil, the dot is dropped, and the
  ///   class is searched in the program's main module.
  /// - Returns: the model, and the warnings of the reader and the assembly.
  /// - Throws: a `FileFormatError` with its line for a contradiction or a missing part.
  package func makeModel(
    module: String? = nil
  ) throws(FileFormatError) -> (model: NSManagedObjectModel, warnings: [ModelWarning]) {
    let model = NSManagedObjectModel()
    return (model, try fill(model, module: module))
  }

  /// Builds the document's model in an empty model.
  package func fill(_ model: NSManagedObjectModel, module: String? = nil) throws(FileFormatError) -> [ModelWarning] {
    var assembly = ModelAssembly(self, module: module, syntax: .parser)
    let archive = try assembly.archive()
    do throws(ModelArchiveError) {
      let left = try ModelArchive.read(archive, into: model)
      return warnings + assembly.warnings + left.map { ModelWarning(file: file, $0) }
    } catch {
      throw FileFormatError(file: file, "\(error)")
    }
  }
}

extension ModelAssembly.SyntaxCheck {
  /// The check of the parser that programs use.
  fileprivate static let parser = ModelAssembly.SyntaxCheck(
    predicate: { text in
      do throws(PredicateSyntaxError) {
        _ = try PredicateParser.tree(text)
        return nil
      } catch { return "\(error)" }
    },
    expression: { text in
      do throws(PredicateSyntaxError) {
        _ = try PredicateParser.expression(text)
        return nil
      } catch { return "\(error)" }
    })
}
