import Foundation
import StrataManagedModel
import StrataRowStore

/// The entity of a batch request: given itself, or by a name that is looked up when the request is executed.
enum RequestedEntity {
  case none
  case named(String)
  case entity(NSEntityDescription)

  var name: String {
    switch self {
    case .none: ""
    case .named(let name): name
    case .entity(let entity): entity.name ?? ""
    }
  }

  var entity: NSEntityDescription? {
    if case .entity(let entity) = self { entity } else { nil }
  }

  /// Returns the layout in a context's model.
  /// - Throws: code 134091 if the model has no such entity.
  func layout(in context: NSManagedObjectContext) throws -> EntityLayout {
    let model = try context.requireSource().model
    if let entity, entity.model === model, let layout = entity.layout { return layout }
    guard let layout = model.entitiesByName[name]?.layout else {
      throw CocoaError.coreData(
        .unsupported, "A batch request cannot be executed: the context's model has no entity named '\(name)'.")
    }
    return layout
  }
}
