import Foundation
import NeighborFacts

// alone FOLDER: prints the facts of a process without the framework.

let folder = URL(fileURLWithPath: CommandLine.arguments[1])
print(String(decoding: try JSONEncoder().encode(Facts.current(in: folder)), as: UTF8.self))
