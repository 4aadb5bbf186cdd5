/// The content of a `@NSManaged` property according to its declaration.
package enum PropertyContent: Equatable {
  /// Numbers, by the name of their Swift type.
  case integer(String), real(String)
  case boolean, number, text, date, data, uuid, url, decimal
  /// One object of a class, by its path.
  case one(String)
  /// Several objects; of a class, if declared.
  case many(String?)
  /// Anything else: a transformable value, an enumeration, a dictionary.
  case any

  init(_ type: SwiftType) {
    var type = type
    if case .optional(let wrapped) = type { type = wrapped }
    let form = ValueAccess(type, isPrimitive: false) { _ in "" }
    switch form {
    case .integer(let name, isOptional: _): self = .integer(name)
    case .boolean: self = .boolean
    case .real(let name, isOptional: _): self = .real(name)
    case .text: self = .text
    case .date: self = .date
    case .set, .orderedSet, .mutableSet, .mutableOrderedSet: self = .many(nil)
    case .any, .primitive: self = Self.object(type)
    }
  }

  private static func object(_ type: SwiftType) -> Self {
    switch type.systemName {
    case "Data", "NSData": return .data
    case "UUID", "NSUUID": return .uuid
    case "URL", "NSURL": return .url
    case "Decimal", "NSDecimalNumber": return .decimal
    case "NSNumber": return .number
    case "NSString": return .text
    case "NSDate": return .date
    default: break
    }
    guard case .nominal(let nominal, let arguments) = type else { return .any }
    if type.isObject { return .one(nominal.path) }
    guard nominal.letter == "h", case .nominal(let member, _)? = arguments.first, arguments[0].isObject else {
      return .any
    }
    return .many(member.path)
  }
}
