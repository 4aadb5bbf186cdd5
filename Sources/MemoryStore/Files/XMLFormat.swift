import Foundation
import StrataFormats
import StrataManagedModel
import StrataRowStore

/// XML in the format of Apple's framework:
///
///     <database>
///         <databaseInfo>
///             <version>134481920</version>
///             <UUID>…</UUID>
///             <nextObjectID>104</nextObjectID>
///             <metadata><plist version="1.0"><dict>…</dict></plist></metadata>
///         </databaseInfo>
///         <object type="BOOK" id="z102">
///             <attribute name="title" type="string">Emma</attribute>
///             <relationship name="author" type="1/1" destination="PERSON" idrefs="z103"></relationship>
///         </object>
///     </database>
///
/// Entity names are upper case, property names lower case. Properties without a value are omitted.
enum XMLFormat: StoreFormat {
  static let type = "XML"

  static func document(_ bytes: [UInt8], file: String) throws -> StoreDocument {
    do throws(FileFormatError) {
      let root = try XMLReader.root(bytes, file: file)
      guard root.name == "database" else {
        throw FileFormatError(file: file, line: root.line, "expected <database>, found <\(root.name)>")
      }
      var document = StoreDocument(identifier: "", nextNumber: 1, metadata: [:])
      for element in root.children {
        switch element.name {
        case "databaseInfo": try read(element, into: &document, file: file)
        case "object": document.objects.append(try object(element, file: file))
        default: break
        }
      }
      return document
    } catch {
      throw StoreError(
        .corrupt, "Cannot open the store '\(file)': it is not an XML store, or it is damaged. \(error)", cause: error)
    }
  }

  private static func read(
    _ info: ParsedElement, into document: inout StoreDocument, file: String
  ) throws(FileFormatError) {
    for part in info.children {
      let text = part.text.trimmingCharacters(in: .whitespacesAndNewlines)
      switch part.name {
      case "UUID": document.identifier = text
      case "nextObjectID": document.nextNumber = Int64(text) ?? 1
      case "metadata":
        guard let plist = part.children.first?.children.first else { continue }
        let value = try PropertyListElement.value(plist, file: file)
        document.metadata = value as? [String: any Sendable] ?? [:]
      default: break
      }
    }
  }

  private static func object(_ element: ParsedElement, file: String) throws(FileFormatError) -> StoreDocument.Object {
    func required(_ name: String, of element: ParsedElement) throws(FileFormatError) -> String {
      guard let value = element[name] else {
        throw FileFormatError(file: file, line: element.line, "<\(element.name)> has no \(name)")
      }
      return value
    }
    var object = StoreDocument.Object(type: try required("type", of: element), id: try required("id", of: element))
    for part in element.children {
      switch part.name {
      case "attribute":
        let type = part["type"] ?? "string"
        let attribute = StoreDocument.Attribute(
          name: try required("name", of: part), type: type, value: try value(part, type: type, file: file))
        object.attributes.append(attribute)
      case "relationship":
        object.relationships.append(
          StoreDocument.Relationship(
            name: try required("name", of: part), isToMany: part["type"] != "1/1",
            destination: part["destination"] ?? "",
            members: (part["idrefs"] ?? "").split { $0 == " " || $0.isNewline }.map(String.init)))
      default: break
      }
    }
    return object
  }

  private static func value(
    _ part: ParsedElement, type: String, file: String
  ) throws(FileFormatError) -> StoreDocument.Value {
    guard type == "binary" else { return .text(part.text) }
    guard let data = Data(base64Encoded: part.text, options: .ignoreUnknownCharacters) else {
      throw FileFormatError(file: file, line: part.line, "the data is not encoded in base 64")
    }
    return .data(Array(data))
  }

  // MARK: Writing

  static func bytes(of document: StoreDocument) throws -> [UInt8] {
    var text = """
      <?xml version="1.0"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>134481920</version>
              <UUID>\(escaped(document.identifier))</UUID>
              <nextObjectID>\(document.nextNumber)</nextObjectID>
              <metadata>\(try metadata(document.metadata))</metadata>
          </databaseInfo>

      """
    for object in document.objects { write(object, to: &text) }
    return Array((text + "</database>\n").utf8)
  }

  /// The `<plist>` element of a property list, without the file's prolog.
  private static func metadata(_ metadata: [String: any Sendable]) throws -> String {
    do {
      let data = try PropertyListSerialization.data(fromPropertyList: metadata, format: .xml, options: 0)
      let text = String(decoding: data, as: UTF8.self)
      return text.range(of: "<plist").map { String(text[$0.lowerBound...]) } ?? ""
    } catch {
      throw StoreError(
        .unsupported,
        "The metadata cannot be stored: keys \(metadata.keys.sorted()). They may be text, numbers, dates, data, and "
          + "arrays and dictionaries of such. \(error)", cause: error)
    }
  }

  private static func write(_ object: StoreDocument.Object, to text: inout String) {
    text += "    <object type=\"\(escaped(object.type))\" id=\"\(escaped(object.id))\">\n"
    for attribute in object.attributes {
      let value =
        switch attribute.value {
        case .text(let text): escaped(text)
        case .data(let bytes): Data(bytes).base64EncodedString()
        }
      text += "        <attribute name=\"\(escaped(attribute.name))\" type=\"\(attribute.type)\">\(value)</attribute>\n"
    }
    for relationship in object.relationships {
      let type = relationship.isToMany ? "0/0" : "1/1"
      let members =
        relationship.members.isEmpty ? "" : " idrefs=\"\(relationship.members.map(escaped).joined(separator: " "))\""
      text +=
        "        <relationship name=\"\(escaped(relationship.name))\" type=\"\(type)\" "
        + "destination=\"\(escaped(relationship.destination))\"\(members)></relationship>\n"
    }
    text += "    </object>\n"
  }

  /// Escapes line ends other than LF, which XML parsers normalize, and characters that XML cannot represent.
  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 32 && $0 != 10 || $0 == 34 || $0 == 38 || $0 == 60 || $0 == 62 }) else {
      return text
    }
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n": escaped += "\n"
      case _ where scalar.value < 32: escaped += "&#\(scalar.value);"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

/// XML property list elements.
private enum PropertyListElement {
  static func value(_ element: ParsedElement, file: String) throws(FileFormatError) -> any Sendable {
    func unreadable() -> FileFormatError {
      FileFormatError(file: file, line: element.line, "a value of the metadata cannot be read: <\(element.name)>")
    }
    let text = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch element.name {
    case "string": return element.text
    case "true", "false": return element.name == "true"
    case "array": return try element.children.map { child throws(FileFormatError) in try value(child, file: file) }
    case "dict": return try dictionary(element, file: file)
    case "integer":
      guard let number = Int(text) else { throw unreadable() }
      return number
    case "real":
      guard let number = Double(text) else { throw unreadable() }
      return number
    case "data":
      guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else { throw unreadable() }
      return data
    case "date":
      guard let date = try? Date(text, strategy: .iso8601) else { throw unreadable() }
      return date
    default: throw unreadable()
    }
  }

  /// A dictionary whose values are all data gets that type, as the version hashes do.
  private static func dictionary(_ element: ParsedElement, file: String) throws(FileFormatError) -> any Sendable {
    var entries: [String: any Sendable] = [:]
    var key: String?
    for child in element.children {
      if child.name == "key" {
        key = child.text
      } else if let name = key {
        entries[name] = try value(child, file: file)
        key = nil
      }
    }
    let data = entries.compactMapValues { $0 as? Data }
    return data.count == entries.count && !data.isEmpty ? data : entries
  }
}
