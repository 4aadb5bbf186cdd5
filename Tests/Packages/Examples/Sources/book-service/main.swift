import Foundation
import Hummingbird

// Serves books as JSON. Any number of processes may serve one store, each on a port of its own.

let arguments = CommandLine.arguments
guard arguments.count == 3, let port = Int(arguments[2]) else {
  FileHandle.standardError.write(Data("usage: book-service STORE PORT\n".utf8))
  exit(2)
}

let shop = try BookShop(storeURL: URL(fileURLWithPath: arguments[1]))
let feed = try ChangeFeed(of: shop)
let service = Application(
  router: makeRouter(shop, feed), configuration: .init(address: .hostname("127.0.0.1", port: port)), services: [feed],
  onServerRunning: { channel in
    let port = channel.localAddress?.port ?? 0
    FileHandle.standardOutput.write(Data("listening on port \(port)\n".utf8))
  })

// Returns after SIGTERM or SIGINT, when the accepted requests have their responses.
try await service.runService()
try shop.close()
