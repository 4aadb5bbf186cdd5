// The program that expands SwiftData's macros. The compiler starts it, and talks to it over its standard streams.
import Foundation

try? MacroServer(stream: MessageStream(input: .standardInput, output: .standardOutput)).run()
