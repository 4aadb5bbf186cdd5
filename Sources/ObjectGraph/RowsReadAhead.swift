import RowStore

/// Rows and relationships that a fetch read ahead, for the objects that will be made when somebody asks for them.
///
/// The objects that were fetched refer to it, and those that are made from it do too: it lives as long as one of them.
/// It holds rows and no objects, so no circle arises. What is saved by anyone is taken out.
class RowsReadAhead {
  private var rows: [Row] = []
  private var rowPlaces = RowNumbers()
  /// By the number of the relationship in the layout of its owner.
  private var links: [Int: [RowID: [RowID]]] = [:]

  final func row(_ id: RowID) -> Row? { rowPlaces[id].map { rows[$0] } }

  /// The members of a to-many relationship; nil if they were not read.
  final func members(of owner: RowID, _ number: Int) -> [RowID]? { links[number]?[owner] }

  final func add(_ row: Row) {
    guard rowPlaces[row.id] == nil else { return }
    rowPlaces[row.id] = rows.count
    rows.append(row)
  }

  /// - Parameter members: by owner; an owner without members may be missing.
  final func add(_ members: [RowID: [RowID]], to owners: [RowID], _ number: Int) {
    var known = links.removeValue(forKey: number) ?? [:]
    for owner in owners { known[owner] = members[owner] ?? [] }
    links[number] = known
  }

  /// What is known of a row is so no more.
  final func forget(_ id: RowID) {
    rowPlaces[id] = nil
    for number in links.keys { links[number]?[id] = nil }
  }
}

struct WeakRowsReadAhead { weak var rows: RowsReadAhead? }

/// Numbers by row: an open-addressing table, which costs a tenth of a Dictionary.
struct RowNumbers {
  private var keys: [UInt64] = Array(repeating: 0, count: 16)
  private var numbers: [Int] = Array(repeating: 0, count: 16)
  private var used = 0

  /// nil where there is none.
  subscript(id: RowID) -> Int? {
    get {
      let place = place(of: id.bits)
      return keys[place] == 0 || numbers[place] < 0 ? nil : numbers[place]
    }
    set {
      var place = place(of: id.bits)
      if keys[place] == 0 {
        guard newValue != nil else { return }
        if (used + 1) * 2 > keys.count {
          grow()
          place = self.place(of: id.bits)
        }
        keys[place] = id.bits
        used += 1
      }
      numbers[place] = newValue ?? -1
    }
  }

  private func place(of key: UInt64) -> Int {
    let mask = keys.count - 1
    var place = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    while keys[place] != key && keys[place] != 0 { place = (place + 1) & mask }
    return place
  }

  private mutating func grow() {
    let old = zip(keys, numbers)
    keys = Array(repeating: 0, count: keys.count * 4)
    numbers = Array(repeating: 0, count: keys.count)
    for (key, number) in old where key != 0 {
      let place = place(of: key)
      keys[place] = key
      numbers[place] = number
    }
  }
}

extension NSManagedObject {
  /// The object at another end of a relationship, with the row that was read ahead for it.
  func relatedObject(_ id: RowID) -> NSManagedObject? {
    guard let object = context?.member(id) else { return nil }
    guard let readAhead, object.life == .fault, object.page == nil else { return object }
    if let row = readAhead.row(object.rowID) {
      object.adopt(row.page, row.index)
      if object.readAhead == nil { object.readAhead = readAhead }
    }
    return object
  }
}
