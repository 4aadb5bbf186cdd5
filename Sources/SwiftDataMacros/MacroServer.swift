import Foundation
import StrataSwiftDataExpansion

/// Responds to the messages of a compiler.
struct MacroServer {
  let stream: MessageStream

  /// Runs until the compiler ends the conversation.
  func run() throws {
    while let message = stream.read() { try stream.write(JSONEncoder().encode(response(to: message))) }
  }

  /// The compiler waits for a response to each message, also to those that this program does not understand.
  private func response(to message: Data) -> Response {
    do {
      switch try JSONDecoder().decode(Request.self, from: message) {
      case .capability: return Response(getCapabilityResult: .init())
      case .attached(let request): return Response(expandMacroResult: result(of: request))
      case .freestanding(let request):
        let use = MacroUse(request.macro.typeName, "declaration", of: request.syntax.source)
        return Response(expandMacroResult: result(of: use, request.syntax.location))
      case .unknown: return failure("SwiftData's macros do not support a message of this compiler")
      }
    } catch {
      return failure("SwiftData's macros cannot read a message of this compiler: \(error)")
    }
  }

  private func failure(_ text: String) -> Response {
    Response(expandMacroResult: .init(diagnostics: [.init(text)]))
  }

  private func result(of request: Request.AttachedMacro) -> Response.MacroResult {
    let use = MacroUse(
      request.macro.typeName, request.macroRole, of: request.declSyntax.source,
      by: request.attributeSyntax.source, memberOf: request.parentDeclSyntax?.source ?? "",
      extending: request.extendedTypeSyntax?.source ?? "", conformances: request.conformanceListSyntax?.source ?? "",
      in: request.lexicalContext?.map(\.source) ?? [])
    return result(of: use, request.declSyntax.location)
  }

  private func result(of use: MacroUse, _ location: Request.Syntax.Location) -> Response.MacroResult {
    let expansion = use.expanded()
    return .init(
      expandedSource: expansion.text,
      diagnostics: expansion.diagnostics.map {
        .init($0.message, in: location.fileName, at: location.offset + $0.offset)
      })
  }
}
