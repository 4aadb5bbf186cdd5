import Foundation

/// The command line.
struct Options {
  /// The table sizes to run in turn.
  var sizes: [Int] = []
  var rounds = 5
  var only: Set<String> = []
  var json: URL?
  var comparison = Comparison.peers
  /// If set, counts instructions instead of time and compares them with this file.
  var instructions: URL?
  var records = false
  var server: Server?

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    func number(_ name: String) -> Int {
      guard let text = rest.popFirst(), let number = Int(text), number > 0 else { Self.fail("\(name) takes a number.") }
      return number
    }
    func file(_ name: String) -> URL {
      guard let path = rest.popFirst() else { Self.fail("\(name) takes a file.") }
      return URL(fileURLWithPath: path)
    }
    var sqlAlchemy: URL?
    while let argument = rest.popFirst() {
      switch argument {
      case "--rows": sizes.append(number(argument))
      case "--rounds": rounds = number(argument)
      case "--history": comparison = .sharing
      case "--postgresql": server = Server(socket: file(argument).path)
      case "--sqlalchemy": sqlAlchemy = file(argument)
      case "--obligations": comparison = .obligations
      case "--only":
        guard let name = rest.popFirst(), Workload.names.contains(name) else {
          Self.fail("--only takes one of \(Workload.names.joined(separator: ", ")).")
        }
        only.insert(name)
      case "--json": json = file(argument)
      case "--instructions": instructions = file(argument)
      case "--record": records = true
      default:
        Self.fail(
          "'\(argument)' is not one of --rows, --rounds, --only, --json, --history, --obligations, --postgresql, "
            + "--sqlalchemy, --instructions, --record.")
      }
    }
    if server != nil { comparison = .onServer(sqlAlchemy: sqlAlchemy?.path) }
    if sizes.isEmpty { sizes = [100_000] }
  }

  var workloads: [Workload] { comparison.workloads.filter { only.isEmpty || only.contains($0.name) } }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(2)
  }
}
