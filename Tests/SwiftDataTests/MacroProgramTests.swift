import Foundation
import StrataTestSupport
import Testing

/// The program of the macros, as the compiler talks to it.
@Suite struct MacroProgramTests {
  /// Sends bytes to the program and closes its input.
  ///
  /// - Returns: the program's output and exit status.
  private func run(_ input: Data) throws -> (output: Data, errors: Data, status: Int32?) {
    let (inPipe, outPipe, errorPipe) = (Pipe(), Pipe(), Pipe())
    let program = Bundle.main.bundleURL.appendingPathComponent("StrataSwiftDataMacros-tool").path
    let process = try SpawnedProcess(
      program, [], input: inPipe.fileHandleForReading, output: outPipe.fileHandleForWriting,
      errors: errorPipe.fileHandleForWriting)
    for file in [inPipe.fileHandleForReading, outPipe.fileHandleForWriting, errorPipe.fileHandleForWriting] {
      try file.close()
    }
    try inPipe.fileHandleForWriting.write(contentsOf: input)
    try inPipe.fileHandleForWriting.close()
    let output = outPipe.fileHandleForReading.readDataToEndOfFile()
    return (output, errorPipe.fileHandleForReading.readDataToEndOfFile(), process.status(seconds: 60))
  }

  private func framed(_ message: String) -> Data {
    withUnsafeBytes(of: UInt64(message.utf8.count).littleEndian) { Data($0) } + Data(message.utf8)
  }

  /// The program's responses to messages, as JSON with sorted keys.
  private func responses(to messages: String...) throws -> [String] {
    let (output, errors, status) = try run(messages.reduce(Data()) { $0 + framed($1) } + Data(count: 8))
    #expect(status == 0 && errors.isEmpty)
    var (rest, responses) = (output, [String]())
    while rest.count >= 8 {
      let length = Int(rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
      let object = try JSONSerialization.jsonObject(with: rest.dropFirst(8).prefix(length))
      let text = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
      responses.append(String(decoding: text, as: UTF8.self))
      rest = rest.dropFirst(8 + length)
    }
    #expect(rest.isEmpty)
    return responses
  }

  /// A message of the compiler 6.3.1, with keys that the program does not read.
  private func attached(_ type: String, _ role: String, _ source: String) -> String {
    """
    {"expandAttachedMacro": {
      "attributeSyntax": {"kind": "attribute", "source": "@A", "location": {"column": 1, "fileID": "", "fileName": "",
        "line": 1, "offset": 7}},
      "declSyntax": {"kind": "declaration", "source": \(quoted(source)), "location": {"column": 1,
        "fileID": "App/A.swift", "fileName": "/src/A.swift", "line": 2, "offset": 100}},
      "discriminator": "$s3App1AC1a1ApfMp_", "lexicalContext": [], "staticBuildConfiguration": "{}",
      "parentDeclSyntax": {"kind": "declaration", "source": \(quoted("class A {\(source)}")), "location": {"column": 1,
        "fileID": "App/A.swift", "fileName": "/src/A.swift", "line": 1, "offset": 90}},
      "macro": {"moduleName": "StrataSwiftDataMacros", "name": "A", "typeName": "\(type)"}, "macroRole": "\(role)"}}
    """
  }

  private func quoted(_ text: String) -> String {
    String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
  }

  private func failure(_ message: String, in file: String = "", at offset: Int = 0, source: String? = nil) -> String {
    let expanded = source.map { #""expandedSource":"\#($0)""# }
    let fields = [
      #""diagnostics":[{"fixIts":[],"highlights":[],"message":"\#(message)","notes":[],"#
        + #""position":{"fileName":"\#(file)","offset":\#(offset)},"severity":"error"}]"#, expanded,
    ]
    return #"{"expandMacroResult":{\#(fields.compactMap(\.self).joined(separator: ","))}}"#
  }

  @Test func `expands attached and freestanding macros`() throws {
    let freestanding = """
      {"expandFreestandingMacro": {"macro": {"moduleName": "M", "name": "Index", "typeName": "IndexMacro"},
        "macroRole": "declaration", "discriminator": "d", "syntax": {"kind": "declaration", "source": "#Index([])",
        "location": {"column": 1, "fileID": "", "fileName": "/src/A.swift", "line": 1, "offset": 0}}}}
      """
    let responses = try responses(
      to: #"{"getCapability": {"capability": {"protocolVersion": 7}}}"#,
      attached("PersistentModelMacro", "memberAttribute", "\n  var title: String"), freestanding,
      attached("PersistedPropertyMacro", "peer", "var größe: Int"))
    #expect(
      responses == [
        #"{"getCapabilityResult":{"capability":{"protocolVersion":7}}}"#,
        #"{"expandMacroResult":{"diagnostics":[],"expandedSource":"@_PersistedProperty(0)"}}"#,
        #"{"expandMacroResult":{"diagnostics":[],"expandedSource":""}}"#,
        #"{"expandMacroResult":{"diagnostics":[],"expandedSource":"#
          + #""@Transient\nprivate var _größe: _SwiftDataNoType"}}"#,
      ])
  }

  @Test func `reports errors at their position in the source`() throws {
    let response = try responses(to: attached("PersistentModelMacro", "member", "\n  @Model struct A {}"))
    #expect(
      response == [failure("'@Model' cannot be applied to struct type 'A'", in: "/src/A.swift", at: 103, source: "")])
  }

  @Test func `reports macros and roles that it does not have`() throws {
    let responses = try responses(
      to: attached("QueryMacro", "accessor", "var a: Int"), attached("PersistentModelMacro", "body", "class A {}"))
    #expect(
      responses
        == ["QueryMacro as accessor", "PersistentModelMacro as body"].map {
          failure("SwiftData's macros do not include \($0)", in: "/src/A.swift", at: 100, source: "")
        })
  }

  @Test func `responds to messages that it does not understand`() throws {
    let responses = try responses(
      to: #"{"loadPluginLibrary": {"libraryPath": "/lib", "moduleName": "M"}}"#, "{}", "[1]", "{", "null",
      #"{"expandAttachedMacro": {"macro": 1}}"#, #"{"getCapability": null}"#)
    #expect(responses.count == 7)
    #expect(responses[0] == failure("SwiftData's macros do not support a message of this compiler"))
    #expect(responses[1] == responses[0])
    for response in responses[2...5] {
      #expect(response.contains("SwiftData's macros cannot read a message of this compiler"), "\(response)")
    }
    #expect(responses[6] == #"{"getCapabilityResult":{"capability":{"protocolVersion":7}}}"#)
  }

  @Test func `ends quietly where the input ends`() throws {
    let message = framed(#"{"getCapability": {}}"#)
    let inputs: [Data] = [
      Data(), Data(count: 8), Data(count: 3), message.prefix(20), Data(repeating: 0xFF, count: 8),
      Data(repeating: 0x7F, count: 9), Data([0, 0, 0, 0, 0, 1, 0, 0]) + message,
    ]
    for input in inputs {
      let (output, errors, status) = try run(input)
      #expect(output.isEmpty && errors.isEmpty && status == 0, "\(input)")
    }
  }

  @Test func `ignores what follows the end`() throws {
    let (output, errors, status) = try run(Data(count: 8) + framed(#"{"getCapability": {}}"#))
    #expect(output.isEmpty && errors.isEmpty && status == 0)
  }
}
