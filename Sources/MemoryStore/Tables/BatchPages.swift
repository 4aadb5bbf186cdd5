import StrataManagedModel
import StrataRowStore

/// Creates rows in pages shared by a batch: small enough that one live row does not keep many dead ones in memory,
/// large enough that the pages' overhead does not matter.
struct BatchPages {
  private static let capacity = 256

  private var pages: [Int: RowPage] = [:]

  mutating func append(id: RowID, version: Int64, _ layout: EntityLayout) -> Row {
    let page = pages[layout.number].flatMap { $0.isFull ? nil : $0 } ?? newPage(layout)
    return Row(page: page, index: page.append(id: id, version: version))
  }

  private mutating func newPage(_ layout: EntityLayout) -> RowPage {
    pages[layout.number]?.seal()
    let isFirst = pages[layout.number] == nil
    let page = RowPage(layout: layout, capacity: isFirst ? 8 : Self.capacity)
    pages[layout.number] = page
    return page
  }

  func seal() { for page in pages.values { page.seal() } }
}
