import SwiftData

/// Reads models into a plain graph.
struct Reader {
  let space: Space
  /// Whether all required relationships have a model: reading one without would stop the program.
  var isValid = false

  /// Reads every model that a fetch finds.
  func all() throws -> PlainGraph {
    var graph = PlainGraph()
    for kind in Kind.allCases {
      for model in try space.fetch(kind, .all) {
        if graph.isLive(model.key) { throw GraphFailure("\(space.name): a fetch returned \(kind) \(model.key) twice") }
        graph.records[model.key] = record(of: model)
      }
    }
    return graph
  }

  func record(of model: any GraphModel) -> PlainGraph.Record {
    let kind = Kind(of: model)
    var record = attributes(of: model)
    for link in kind.links where isValid || !link.isRequired || !isEmpty(link, of: model) {
      record.links[link.name] = link.read(model).filter { !$0.isDeleted && $0.modelContext != nil }.map(\.key)
    }
    return record
  }

  func attributes(of model: any GraphModel) -> PlainGraph.Record {
    PlainGraph.Record(
      kind: Kind(of: model), name: model.name, number: model.number, code: (model as? GraphBadge)?.code)
  }

  private func isEmpty(_ link: Link, of model: any GraphModel) -> Bool {
    space.graph.targets(link.name, of: model.key).isEmpty
  }
}
