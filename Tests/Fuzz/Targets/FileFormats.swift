import Foundation
import StrataFileFormats

/// What is stored can be unpacked; anything else is refused.
@Sendable func inflate(_ bytes: [UInt8]) {
  _ = Inflate.unpack(bytes)
  promise(Inflate.unpack(Inflate.store(bytes)) == bytes, "what was stored is unpacked as something else")
}

/// Each object of a list can be asked for, and whatever the list says leads to an end.
@Sendable func propertyList(_ bytes: [UInt8]) {
  guard let list = BinaryPropertyList(bytes) else { return }
  for number in 0..<min(bytes.count, 1_000) { _ = list.value(number) }
  _ = list.value(list.top)
}

@Sendable func keyedArchive(_ bytes: [UInt8]) {
  guard let archive = KeyedArchive(bytes) else { return }
  _ = archive.plain(archive.root)
  guard let root = archive.object(archive.root) else { return }
  for key in ["NSEntities", "NS.objects", "root", "NSUserInfo"] {
    _ = (root.text(key), root.integer(key), root.flag(key), root.texts(key), root.dictionary(key).count)
  }
}

@Sendable func xml(_ bytes: [UInt8]) { _ = try? XMLReader.root(bytes, file: "input.xml") }
