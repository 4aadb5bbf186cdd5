import Foundation

/// What the command line asks for.
struct Options {
  var rows = 100_000
  var rounds = 5
  var only: Set<String> = []
  var json: URL?
  var history = false

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    func number(_ name: String) -> Int {
      guard let text = rest.popFirst(), let number = Int(text), number > 0 else { Self.fail("\(name) takes a number.") }
      return number
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--rows": rows = number(argument)
      case "--rounds": rounds = number(argument)
      case "--history": history = true
      case "--only":
        guard let name = rest.popFirst(), Work.all.contains(where: { $0.name == name }) else {
          Self.fail("--only takes one of \(Work.all.map(\.name).joined(separator: ", ")).")
        }
        only.insert(name)
      case "--json":
        guard let path = rest.popFirst() else { Self.fail("--json takes a file.") }
        json = URL(fileURLWithPath: path)
      default: Self.fail("'\(argument)' is not one of --rows, --rounds, --only, --json, --history.")
      }
    }
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(2)
  }
}
