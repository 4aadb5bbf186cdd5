/// A message of the compiler.
///
/// The compiler's plugin protocol only grows: keys that are not listed here are ignored.
enum Request: Decodable {
  case capability
  case attached(AttachedMacro)
  case freestanding(FreestandingMacro)
  /// A message of a newer compiler.
  case unknown

  struct Macro: Decodable {
    var typeName: String
  }

  /// A piece of a source.
  struct Syntax: Decodable {
    struct Location: Decodable {
      var fileName: String
      /// In bytes, from the start of the file.
      var offset: Int
    }

    var source: String
    var location: Location
  }

  struct AttachedMacro: Decodable {
    var macro: Macro
    var macroRole: String
    var attributeSyntax: Syntax
    var declSyntax: Syntax
    var parentDeclSyntax: Syntax?
    var extendedTypeSyntax: Syntax?
    var conformanceListSyntax: Syntax?
    var lexicalContext: [Syntax]?
  }

  struct FreestandingMacro: Decodable {
    var macro: Macro
    var syntax: Syntax
  }

  private enum CodingKeys: CodingKey {
    case getCapability, expandAttachedMacro, expandFreestandingMacro
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch container.allKeys.first {
    case .getCapability: self = .capability
    case .expandAttachedMacro: self = .attached(try container.decode(AttachedMacro.self, forKey: .expandAttachedMacro))
    case .expandFreestandingMacro:
      self = .freestanding(try container.decode(FreestandingMacro.self, forKey: .expandFreestandingMacro))
    case nil: self = .unknown
    }
  }
}

/// A message to the compiler. Exactly one of its properties is set.
struct Response: Encodable {
  struct CapabilityResult: Encodable {
    struct Capability: Encodable {
      var protocolVersion = 7
    }

    var capability = Capability()
  }

  struct MacroResult: Encodable {
    /// nil if the macro cannot be expanded.
    var expandedSource: String?
    var diagnostics: [Diagnostic] = []
  }

  struct Diagnostic: Encodable {
    struct Position: Encodable {
      var fileName: String
      var offset: Int
    }

    // Empty lists, which the compiler wants.
    private var (highlights, notes, fixIts) = ([String](), [String](), [String]())
    var severity = "error"
    var message: String
    var position: Position

    init(_ message: String, in fileName: String = "", at offset: Int = 0) {
      (self.message, position) = (message, Position(fileName: fileName, offset: offset))
    }
  }

  var getCapabilityResult: CapabilityResult?
  var expandMacroResult: MacroResult?
}
