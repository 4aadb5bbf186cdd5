import Foundation
import StrataTestSupport
import Testing

/// Completion by the Tab key in bash, zsh and fish, on a terminal that `script` provides.
@Suite(.waitsForProcesses, .enabled(if: access("/usr/bin/script", X_OK) == 0)) struct ShellCompletionTests {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish

    var path: String { "/usr/bin/\(rawValue)" }
    var isInstalled: Bool { access(path, X_OK) == 0 }

    /// The start-up file, and the command that starts the shell with only this file.
    var startUp: (file: String, command: String) {
      switch self {
      case .bash: ("bashrc", "bash --noprofile --rcfile bashrc -i")
      case .zsh: (".zshrc", "zsh -d -i")
      case .fish: (".config/fish/config.fish", "fish -i")
      }
    }

    /// Creates a file at each prompt, and defines `words`, which writes its arguments to a file, one on each line.
    var setUp: String {
      switch self {
      case .bash: "words() { printf '%s\\n' \"$@\" >new && mv new answer; }; PROMPT_COMMAND='touch ready'\n"
      case .zsh:
        """
        autoload -Uz compinit && compinit -u -D
        words() { printf '%s\\n' "$@" >new && mv new answer }; precmd() { touch ready }

        """
      case .fish:
        """
        function words; printf '%s\\n' $argv >new; and mv new answer; end
        function fish_prompt; touch ready; end

        """
      }
    }
  }

  /// Types each line without its end, presses Tab, and records the words of the completed line.
  private static let typist = """
    waitFor() { n=0; while [ ! -e "$1" ] && [ $n -lt 1200 ]; do sleep 0.05; n=$((n + 1)); done; }
    while IFS= read -r line; do
      waitFor ready; rm -f ready
      printf '%s\\t\\001words \\r' "$line"
      waitFor answer; cat answer >>answers; echo . >>answers; rm -f answer
    done <lines
    printf 'exit\\r'
    """

  /// - Returns: The words of each completed line.
  private func complete(_ lines: [String], by shell: Shell, in home: Home) throws -> [[String]] {
    let bin = Program.file("quakes").deletingLastPathComponent().path
    var start = shell == .fish ? "set -gx PATH '\(bin)' /usr/bin /bin\n" : "export PATH='\(bin)':/usr/bin:/bin\n"
    start += shell.setUp
    for program in ["quakes", "quakes-fetch"] {
      let script = try Program(program, ["--generate-completion-script", shell.rawValue], home: home.url)
      #expect(script.status() == 0, "\(script.errorText)")
      let file = try home.write("\(program).\(shell)", script.lines.joined(separator: "\n") + "\n")
      start += "source '\(file)'\n"
    }
    try FileManager.default.createDirectory(
      at: home.url.appendingPathComponent(".config/fish"), withIntermediateDirectories: true)
    _ = try home.write(shell.startUp.file, start)
    _ = try home.write("lines", lines.map { "\($0)\n" }.joined())
    _ = try home.write("typist", Self.typist)
    let run = "cd '\(home.url.path)' && sh typist | script -qec '\(shell.startUp.command)' /dev/null"
    let terminal = try Program(
      "sh", ["-c", run], home: home.url, file: URL(fileURLWithPath: "/bin/sh"), variables: ["TERM": "xterm"])
    _ = terminal.status(seconds: 600)
    let answers = try String(contentsOf: home.url.appendingPathComponent("answers"), encoding: .utf8)
    return answers.split(separator: ".\n", omittingEmptySubsequences: false).dropLast()
      .map { $0.split(separator: "\n").map(String.init) }
  }

  private func quakes(_ arguments: String..., home: Home) throws {
    let program = try Program("quakes", arguments, home: home.url)
    #expect(program.status() == 0, "\(program.errorText)")
  }

  @Test(arguments: Shell.allCases.filter(\.isInstalled)) func `completion offers stored names without shell syntax`(
    _ shell: Shell
  )
    throws
  {
    let home = try Home()
    let feed = """
      {"type":"FeatureCollection","metadata":{"generated":1700000000000},"features":[
      {"type":"Feature","properties":{"mag":5.5,"place":"Tonga: south $(touch sprung)","time":1699999000000,"updated":
      1700000000000,"type":"quarry blast","net":"us"},"geometry":{"type":"Point","coordinates":[-174,-21,35]},"id":"us7000"},
      {"type":"Feature","properties":{"mag":4,"place":"Nevada","time":1699999100000,"updated":1700000000000,
      "type":"x$(touch sprung)","net":"`touch${IFS}sprung`"},"geometry":{"type":"Point","coordinates":[-117,38,5]},
      "id":"xx$(touch${IFS}sprung)"}]}
      """
    let file = try home.write("feed.geojson", feed)
    #expect(try Program("quakes-fetch", ["--once", file], home: home.url).status() == 0)
    try quakes("place", "add", "my hut", "47,8", home: home)
    try quakes("place", "add", "x;touch sprung", "47,8", home: home)
    try quakes("alert", "add", "loud", "--notify", home: home)
    try quakes("alert", "add", "x`touch sprung`", "--notify", home: home)
    try FileManager.default.createDirectory(
      at: home.url.appendingPathComponent(".config/quakes"), withIntermediateDirectories: true)
    _ = try home.write(
      ".config/quakes/config.toml", "[filter.big]\nfelt = true\n[filter.\"x$(touch sprung)\"]\nfelt = true\n")
    let all = [
      "quakes show us": "us7000", "quakes star us": "us7000", "quakes ack us": "us7000", "quakes note us": "us7000",
      "quakes open us": "us7000", "quakes aftershocks us": "us7000", "quakes map us": "us7000",
      "quakes near us": "us7000", "quakes near my": "my hut", "quakes list --near my": "my hut",
      "quakes alert add --near my": "my hut", "quakes place remove m": "my hut", "quakes alert remove l": "loud",
      "quakes alert test loud us": "us7000", "quakes-fetch check us": "us7000", "quakes list --filter b": "big",
      "quakes list --type q": "quarry blast", "quakes list --source u": "us", "quakes list --status r": "reviewed",
      "quakes list --columns place,ale": "place,alert", "quakes watch --columns ale": "alert",
      // Names that a shell could execute are not offered.
      "quakes show x": "x", "quakes near x": "x", "quakes alert remove x": "x", "quakes list --filter x": "x",
      "quakes list --type x": "x", "quakes list --source '`'": "`",
    ].sorted { $0.key < $1.key }
    let expected = all.sampled(every: 3)
    let answers = try complete(expected.map(\.key), by: shell, in: home)
    #expect(answers.count == expected.count, "\(answers)")
    for (answer, (line, word)) in zip(answers, expected) {
      #expect(answer == line.split(separator: " ").dropLast().map(String.init) + [word], "\(line)")
    }
    #expect(!FileManager.default.fileExists(atPath: home.url.appendingPathComponent("sprung").path))
  }
}
