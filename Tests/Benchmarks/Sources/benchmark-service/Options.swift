import Foundation

/// The command line.
struct Options {
  var tasks: [Int] = []
  var rounds = 3
  var seconds = 3.0
  var withMerging = false
  var folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)

  init(_ arguments: ArraySlice<String>) {
    var rest = arguments
    func number(_ name: String) -> Int {
      guard let text = rest.popFirst(), let number = Int(text), number > 0 else { Self.fail("\(name) takes a number.") }
      return number
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--tasks": tasks.append(number(argument))
      case "--rounds": rounds = number(argument)
      case "--seconds": seconds = Double(number(argument))
      case "--merging": withMerging = true
      case "--folder":
        guard let path = rest.popFirst() else { Self.fail("--folder takes a folder.") }
        folder = URL(fileURLWithPath: path)
      default: Self.fail("'\(argument)' is not one of --tasks, --rounds, --seconds, --merging, --folder.")
      }
    }
    if tasks.isEmpty { tasks = [1, 4, 16] }
  }

  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(2)
  }
}
