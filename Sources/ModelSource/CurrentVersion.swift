import StrataFormats

/// The file `.xccurrentversion` of an `.xcdatamodeld` folder.
package enum CurrentVersion {
  /// Returns the name of the current version, without extension: the only string in the dictionary of the file; nil
  /// if the file does not name one.
  package static func name(in bytes: [UInt8]) -> String? {
    guard let list = try? XMLReader.root(bytes, file: ".xccurrentversion"), let dictionary = list.children.first,
      let key = dictionary.children.firstIndex(where: { $0.name == "key" && $0.text == "_XCCurrentVersionName" }),
      key + 1 < dictionary.children.count
    else { return nil }
    let name = dictionary.children[key + 1].text
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }
}
