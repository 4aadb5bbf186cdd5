import Foundation

#if FUZZING
/// libFuzzer's loop: it calls the function with input after input. See https://llvm.org/docs/LibFuzzer.html
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ argumentCount: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt
#endif

/// Passes libFuzzer's inputs to one target, or without libFuzzer, the contents of the named files. `STRATA_FUZZ_TARGET` names
/// the target. Tests/fuzz.sh runs all targets.
@main enum Fuzz {
  /// The functions that read untrusted bytes, by name. A target stops the program if a promise is broken.
  static let targets: [String: @Sendable ([UInt8]) -> Void] = [
    "answers": answers, "archive": keyedArchive, "bars": bars, "document": modelDocument, "feed": feed,
    "filter": filter,
    "headers": headers, "history": history, "inflate": inflate, "keys": keys, "mapping": mapping, "messages": messages,
    "model": modelArchive,
    "pages": pages, "predicate": predicate, "propertylist": propertyList, "rows": rows, "settings": settings,
    "store": storeFile, "transformable": transformable, "words": words, "xml": xml,
  ]

  /// Read once: the driver's function cannot carry a value.
  private static let target: @Sendable ([UInt8]) -> Void = {
    let name = ProcessInfo.processInfo.environment["STRATA_FUZZ_TARGET"] ?? ""
    guard let target = targets[name] else {
      print(targets.keys.sorted().joined(separator: "\n"))
      exit(name.isEmpty ? 0 : 2)
    }
    return target
  }()

  #if FUZZING
  static func main() {
    _ = target
    var (count, arguments) = (CommandLine.argc, CommandLine.unsafeArgv)
    exit(
      runDriver(&count, &arguments) { bytes, count in
        Fuzz.target(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
      })
  }
  #else
  static func main() throws {
    _ = target
    for path in CommandLine.arguments.dropFirst() {
      // Printed before the file is read, because a broken promise ends the program.
      FileHandle.standardError.write(Data("\(path)\n".utf8))
      target(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    }
  }
  #endif
}

/// Stops the program if a promise is broken, in release builds too.
func promise(_ isKept: Bool, _ message: @autoclosure () -> String) {
  if !isKept { fatalError(message()) }
}
