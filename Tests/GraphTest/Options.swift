import StrataRandomRuns

/// The command line.
struct Options {
  private(set) var kind = GraphStore.Kind.sqlite
  /// The URL of the store of another process, for which this one commits.
  private(set) var peerURL: String?
  private(set) var run: RunOptions

  init(_ words: ArraySlice<String>) throws {
    var kind = GraphStore.Kind.sqlite
    var peerURL: String?
    run = try RunOptions(words, steps: 200) { word, value in
      switch word {
      case "--store":
        let name = try value()
        guard let known = GraphStore.Kind(rawValue: name) else { throw RunFailure("unknown store '\(name)'") }
        kind = known
      case "--peer": peerURL = try value()
      default: return false
      }
      return true
    }
    (self.kind, self.peerURL, run.ownWords) = (kind, peerURL, ["--store", kind.rawValue])
  }
}
