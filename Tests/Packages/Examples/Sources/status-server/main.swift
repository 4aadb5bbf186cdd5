import Foundation

// Records reports, lines such as "pluto up", from standard input, several at a time, and responds to each. At the end of
// the input, or after a signal, it finishes the accepted reports and closes the store.

guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: status-server STORE\n".utf8))
  exit(2)
}

/// Writes a line immediately, without buffering. Any task may call it.
@Sendable func respond(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let board = try StatusBoard(storeURL: URL(fileURLWithPath: CommandLine.arguments[1]))
let requests = RequestLines()
respond("ready")

let tasksAtATime = 16
await withTaskGroup(of: Void.self) { tasks in
  var started = 0
  for await line in requests.stream {
    if started >= tasksAtATime { await tasks.next() }
    started += 1
    tasks.addTask { respond(await board.reply(to: line)) }
  }
}

let counts = try await board.reportCounts()
try board.close()
for (machine, reports) in counts { respond("\(machine) has \(reports) reports") }
