import Foundation
import StrataManagedModel
import StrataRowStore

/// The rows of a batch insert from dictionaries: the program's own, or one that a handler fills repeatedly.
final class DictionaryRows: BulkRows {
  private enum Supply {
    case list([[String: Any]])
    case handler((NSMutableDictionary) -> Bool)
    case ended
  }

  private var supply: Supply
  private let maker: BulkPageMaker
  private let dictionary = RowDictionary()

  init(_ layout: EntityLayout, list: [[String: Any]]) {
    supply = .list(list)
    maker = BulkPageMaker(layout)
  }

  init(_ layout: EntityLayout, handler: @escaping (NSMutableDictionary) -> Bool) {
    supply = .handler(handler)
    maker = BulkPageMaker(layout)
    dictionary.maker = maker
  }

  func next() throws -> BulkPage? {
    maker.begin()
    switch supply {
    case .list(let list): while !maker.page.isFull, maker.rowsMade < list.count { try add(list[maker.rowsMade]) }
    case .handler(let handler): try add(handler)
    case .ended: break
    }
    return maker.finish()
  }

  private func add(_ handler: (NSMutableDictionary) -> Bool) throws {
    while !maker.page.isFull {
      dictionary.begin(maker.append())
      if handler(dictionary) {
        maker.removeLast()
        supply = .ended
        return
      }
      try dictionary.check()
    }
  }

  private func add(_ values: [String: Any]) throws {
    let row = maker.append()
    var known = 0
    for (slot, property) in maker.layout.slots.enumerated() {
      guard let value = values[property.name] else { continue }
      known += 1
      guard maker.setValue(value, row: row, slot: slot) else { throw maker.refusal(of: value, property.name) }
    }
    guard known < values.count else { return }
    for composite in maker.layout.composites {
      guard let value = values[composite.name] else { continue }
      known += 1
      try maker.setValue(value, row: row, slot: composite)
    }
    guard known < values.count else { return }
    let unknown = values.keys.filter { !maker.layout.isAttribute($0) }.min() ?? ""
    throw maker.refusal(of: values[unknown] ?? NSNull(), unknown)
  }
}

extension EntityLayout {
  fileprivate func isAttribute(_ name: String) -> Bool { slot(named: name) != nil || composite(named: name) != nil }
}
