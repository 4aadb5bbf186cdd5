import Foundation
import StrataSwiftDataExpansion

/// Uses of SwiftData's macros, as the compiler asks for them.
enum Expanded {
  private static let conformances = "struct Placeholder: Observable, PersistentModel, Sendable {}"

  static func members(
    _ source: String, conformances: String = conformances, in context: [String] = []
  ) -> Expansion {
    MacroUse("PersistentModelMacro", "member", of: source, conformances: conformances, in: context).expanded()
  }

  static func extensions(_ source: String, of type: String, conformances: String = conformances) -> Expansion {
    MacroUse("PersistentModelMacro", "extension", of: source, extending: type, conformances: conformances).expanded()
  }

  /// The attribute of a member, which follows other members in its class.
  static func attribute(_ source: String, after members: String = "") -> String {
    let parent = "@Model final class A {\n\(members)\n\(source)\n}"
    return MacroUse("PersistentModelMacro", "memberAttribute", of: source, memberOf: parent).expanded().text
  }

  static func accessors(
    _ source: String, _ macro: String = "PersistedPropertyMacro", by attribute: String = "@_PersistedProperty(7)"
  ) -> String { MacroUse(macro, "accessor", of: source, by: attribute).expanded().text }

  static func peer(_ source: String, _ macro: String = "PersistedPropertyMacro") -> String {
    MacroUse(macro, "peer", of: source).expanded().text
  }

  /// The entries of the metadata of a class with the given members, without what all have in common.
  static func metadata(_ members: String) -> [String] {
    let text = self.members("@Model final class A {\n\(members)\ninit() {}\n}").text
    let lines = text.split(separator: "\n\n").first { $0.contains("var schemaMetadata") } ?? ""
    return lines.components(separatedBy: "SwiftData.Schema.PropertyMetadata(").dropFirst().map {
      $0.replacing("SwiftData.Schema.", with: "").replacing(/\),\s*(?:\]\s*})?$/, with: "")
    }
  }
}
