import Foundation
import StrataFormats
import StrataFoundationGaps
import StrataSupport

/// Stored or compressed data can be unpacked; other data is rejected.
@Sendable func inflate(_ bytes: [UInt8]) {
  _ = Inflate.unpack(bytes)
  promise(Inflate.unpack(Inflate.store(bytes)) == bytes, "stored data is unpacked to different data")
  promise(Inflate.unpack(Deflate.pack(bytes)) == bytes, "compressed data is unpacked to different data")
}

/// Each object of a property list can be read, and reading always ends. A list that is read is written unchanged, and
/// Foundation reads the same, if it is safe to pass it the list.
@Sendable func propertyList(_ bytes: [UInt8]) {
  guard let list = BinaryPropertyList(bytes) else { return }
  for number in 0..<min(bytes.count, 1_000) { _ = list.value(number) }
  _ = list.value(list.top)
  let plain = list.plain
  if let plain, let node = PlainText.node(plain) {
    let again = BinaryPropertyList(BinaryPropertyListWriter.bytes(of: node))?.plain
    promise(
      again.map(PlainText.of) == PlainText.of(plain),
      "\(PlainText.of(plain))\nis written as\n\(again.map(PlainText.of) ?? "nothing")")
  }
  guard list.isWhole,
    let theirs = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil), let plain
  else { return }
  promise(
    PlainText.of(theirs) == PlainText.of(plain),
    "Foundation reads\n\(PlainText.of(theirs))\nand we\n\(PlainText.of(plain))")
}

/// An archive is read without being unarchived, and a written archive is read unchanged.
@Sendable func keyedArchive(_ bytes: [UInt8]) {
  if let archive = KeyedArchive(bytes) {
    _ = archive.plain(archive.root)
    if let root = archive.object(archive.root) {
      for key in ["NSEntities", "NS.objects", "root", "NSUserInfo"] {
        _ = (root.text(key), root.integer(key), root.flag(key), root.texts(key), root.dictionary(key).count)
      }
    }
  }
  let texts = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  var writer = KeyedArchiveWriter()
  var members: [KeyedArchive.UID] = []
  for text in texts { members.append(writer.text(text)) }
  let list = writer.list(["NSArray"], members: members)
  let pairs = writer.dictionary(["NSDictionary"], entries: Array(zip(texts, members)))
  let root = writer.add(
    ["Root"], entries: [("list", .object(list)), ("pairs", .object(pairs)), ("count", .integer(-texts.count))])
  let archive = KeyedArchive(writer.bytes(root: root))
  guard let archive, let object = archive.object(archive.root) else {
    fatalError("an archive that we wrote cannot be read")
  }
  func scalars(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }
  promise(scalars(object.texts("list")) == scalars(texts), "\(texts)\nis written as\n\(object.texts("list"))")
  promise(scalars(object.dictionary("pairs").map(\.key)) == scalars(texts), "the keys \(texts) are written as others")
  promise(object.integer("count") == -texts.count, "a number is written as another")
}

/// The archive of a value in a row, which is unarchived or rejected.
@Sendable func transformable(_ bytes: [UInt8]) {
  _ = NSSecureUnarchiveFromDataTransformer().transformedValue(Data(bytes))
  _ = KeyedUnarchiveFromDataTransformer().transformedValue(Data(bytes))
}

/// An element that is read is written unchanged.
@Sendable func xml(_ bytes: [UInt8]) {
  guard let root = try? XMLReader.root(bytes, file: "input.xml") else { return }
  let text = root.markup
  do {
    let again = try XMLReader.root(Array(text.utf8), file: "again.xml").markup
    promise(again.utf8.elementsEqual(text.utf8), "\(text)\nis read as\n\(again)")
  } catch {
    fatalError("\(text)\ncannot be read: \(error)")
  }
}

extension ParsedElement {
  /// The element as XML, with its text first.
  fileprivate var markup: String {
    let attributes = attributes.map { " \($0.name)=\"\(Self.escaped($0.value))\"" }.joined()
    return "<\(name)\(attributes)>\(Self.escaped(text))\(children.map(\.markup).joined())</\(name)>"
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      "&<>\"'\r\n\t".unicodeScalars.contains(scalar) || scalar.value < 32 ? "&#\(scalar.value);" : String(scalar)
    }.joined()
  }
}
