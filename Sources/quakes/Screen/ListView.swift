import CoreData
import Foundation
import StrataQuakes
import StrataQuakesConfig
import StrataQuakesScreen

/// The list of earthquakes, with a selected row that stays on its earthquake.
@MainActor
final class ListView: ScreenView {
  let kind = ScreenKind.list
  let state: ScreenState.OpenView? = nil
  let store: LiveStore
  private let options: ScreenOptions
  private let list: LiveList
  private(set) var filter: ScreenFilter
  /// The name of the view that the filter is of; nil without one.
  private(set) var view: String?
  private(set) var order: QuakeQuery.Order
  private(set) var isReversed: Bool
  private var circle: GeoCircle?
  /// The IDs of the earthquakes that have the marks of the filter, as they were when it was fetched.
  private var marked: [MarkCondition: [String]] = [:]
  /// Which of several cities the filter's place is; nil if there is only one.
  private var placeNote: String?

  private var selected: NSManagedObjectID?
  /// The ID of the selected earthquake, and its row of the screen, when the screen was last drawn. The store may not be readable
  /// anymore.
  private(set) var drawnSelection: (identifier: String, row: Int)?
  private var index = 0
  private var offset = 0
  private var rows = 1
  /// Whether the list changed since the selection was found in it.
  private var isMoved = false
  /// Whether the list has only the first of the earthquakes yet.
  private(set) var isPart = false
  private var emptiness: String?
  private var freshness: String?

  /// More than any screen shows: the first drawing does not wait for the others.
  private static let firstLimit = 300

  /// Shows the first earthquakes of the list only, until `fetch()`.
  ///
  /// - Throws: what `fetch` throws; `Failure` if the place of the filter cannot be found.
  init(_ store: LiveStore, _ content: ListContent, options: ScreenOptions) throws {
    (self.store, self.options, filter) = (store, options, content.filter)
    (order, isReversed, view) = (content.order, content.isReversed, content.view)
    list = LiveList(store)
    list.onChange = { store.onChange?() }
    (circle, placeNote) = try Self.circle(of: filter, in: store)
    try fetch(limit: Self.firstLimit)
    isPart = list.count == Self.firstLimit
    selected = list[0]?.objectID
  }

  // MARK: Changes

  /// Fetches again, because the filter, the order or the time changed.
  ///
  /// - Parameter limit: 0 for all.
  func fetch(limit: Int = 0) throws {
    isPart = false
    // An order by distance needs a point.
    let order = order == .distance && circle == nil ? .time : order
    marked = try readMarks()
    let filter = filter.filter(at: Moment(in: options.style.zone), circle: circle) { marked[$0] ?? [] }
    try list.fetch(QuakeQuery(filter, order: order, isReversed: isReversed, limit: circle == nil ? limit : 0))
    noteChange()
  }

  /// Marks are in another store, which no controller of earthquakes observes.
  private func readMarks() throws -> [MarkCondition: [String]] {
    try Dictionary(uniqueKeysWithValues: filter.marks.map { ($0, try store.identifiers(where: $0)) })
  }

  /// Fetches again if other earthquakes have the marks of the filter by now.
  func refresh() throws {
    if try readMarks() != marked { try fetch() }
  }

  /// The store changed, or time passed.
  func noteChange() {
    isMoved = true
    freshness = store.freshnessNote(at: Date())
    emptiness = nil
  }

  /// The selection stays on its earthquake, or goes to the top if the filter excludes it.
  ///
  /// - Throws: `Failure` if its place cannot be found, and then the former filter stays; what `fetch` throws.
  func setFilter(_ filter: ScreenFilter) throws {
    guard filter != self.filter else { return }
    let isSame = (filter.near, filter.within) == (self.filter.near, self.filter.within)
    let (circle, placeNote) = isSame ? (circle, placeNote) : try Self.circle(of: filter, in: store)
    (self.filter, self.circle, self.placeNote, view) = (filter, circle, placeNote, nil)
    try fetch()
    if selected.flatMap(list.index) == nil { selectFirst() }
  }

  /// Shows a saved view, from its top.
  ///
  /// - Throws: what `setFilter` throws.
  func show(_ filter: ScreenFilter, of view: SavedView) throws {
    let former = (order, isReversed)
    (order, isReversed) = (view.order ?? options.order, view.isReversed)
    do {
      if filter == self.filter { try fetch() } else { try setFilter(filter) }
    } catch {
      (order, isReversed) = former
      throw error
    }
    self.view = view.name
    selectFirst()
  }

  /// Removes the filter, and the order of the view that it was of.
  func clear() throws {
    if view != nil { (order, isReversed) = (options.order, options.isReversed) }
    view = nil
    if filter.text.isEmpty { try fetch() } else { try setFilter(ScreenFilter()) }
  }

  /// The filter and the order under a name.
  func saved(as name: String) -> SavedView {
    SavedView(
      name, filter: filter.text, order: order == options.order ? nil : order, isReversed: isReversed)
  }

  func note(view: String) { self.view = view }

  private static func circle(of filter: ScreenFilter, in store: LiveStore) throws -> (GeoCircle?, note: String?) {
    var note: String?
    let circle = try filter.near.map { try store.reader.circle($0, within: filter.within) { note = $0 } }
    return (circle, note)
  }

  // MARK: Selection

  /// The listed earthquakes, and the number of changes.
  var fetched: (query: QuakeQuery, version: Int) { (list.query, list.version) }

  var content: ListContent { ListContent(filter: filter, view: view, order: order, isReversed: isReversed) }

  func facts(of quake: Quake) -> QuakeFacts {
    list.facts(of: quake, place: options.place)
  }

  var selectedQuake: Quake? {
    findSelection()
    return list[index]
  }

  /// The selection stays on its earthquake and in its row of the screen, except that the top of the list stays visible.
  private func findSelection() {
    guard isMoved else { return }
    isMoved = false
    let row = index - offset
    if let found = selected.flatMap(list.index) {
      index = found
      if offset > 0 || found >= rows { offset = found - row }
    }
    index = max(0, min(index, list.count - 1))
    selected = list[index]?.objectID
  }

  func select(_ newIndex: Int) {
    findSelection()
    let newIndex = max(0, min(newIndex, list.count - 1))
    if newIndex != index, let selected { store.see(selected) }
    index = newIndex
    selected = list[newIndex]?.objectID
  }

  /// The screen is drawn, of which the list may be a part.
  func noteDrawing() { drawnSelection = selectedQuake?.identifier.map { ($0, index - offset) } }

  /// Selects an earthquake as it was selected before, if it is in the list.
  ///
  /// - Parameters:
  ///   - identifier: also one that it had.
  ///   - row: its row of the screen.
  /// - Throws: what `fetch` throws.
  func select(_ identifier: String, row: Int) throws {
    guard let quake = try Quake.find(identifier, in: store.context) else { return }
    if isPart, list.index(of: quake.objectID) == nil { try fetch() }
    guard let found = list.index(of: quake.objectID) else { return }
    (selected, index, offset, isMoved) = (quake.objectID, found, max(0, found - max(0, row)), false)
  }

  private func selectFirst() {
    (index, offset, isMoved) = (0, 0, false)
    selected = list[0]?.objectID
  }

  func move(by count: Int) {
    findSelection()
    select(index + count)
  }

  /// - Returns: whether there is one.
  func selectNextNew() -> Bool {
    findSelection()
    let places = store.unseen.compactMap(list.index).sorted()
    guard let next = places.first(where: { $0 > index }) ?? places.first else { return false }
    select(next)
    return true
  }

  func perform(_ command: ScreenCommand) throws -> Bool {
    switch command {
    case .down, .next: move(by: 1)
    case .up, .previous: move(by: -1)
    case .pageDown: move(by: rows)
    case .pageUp: move(by: -rows)
    case .first: select(0)
    case .last: select(list.count - 1)
    case .nextNew: return selectNextNew()
    case .order: try sortByNext()
    case .reverse:
      isReversed.toggle()
      try fetch()
      selectFirst()
    default: return false
    }
    return true
  }

  private func sortByNext() throws {
    let orders = QuakeQuery.Order.allCases.filter { $0 != .distance || circle != nil }
    let index = orders.firstIndex(of: order) ?? -1
    order = orders[(index + 1) % orders.count]
    try fetch()
    selectFirst()
  }

  // MARK: Drawing

  func lines(_ size: ScreenSize, _ look: ScreenLook) throws -> [OutputText] {
    var lines = [title(size, look)]
    if let note = freshness ?? placeNote, size.rows > 6 {
      lines += look.message(note, size)
    }
    rows = max(1, size.rows - lines.count - 1)
    findSelection()
    guard list.count > 0 else { return lines + (try empty(columns: size.columns)) }
    offset = max(0, min(offset, index, list.count - rows))
    offset = max(offset, index - rows + 1)
    return lines + (try table(columns: size.columns, look))
  }

  func title(_ size: ScreenSize, _ look: ScreenLook) -> OutputText {
    findSelection()
    let count = list.count == 0 ? "none" : "\(index + 1) of \(isPart ? "…" : "\(list.count)")"
    let right = size.columns < 50 ? count : "\(count) · \(orderText)"
    let words = [view, filter.text.isEmpty ? nil : filter.text].compactMap { $0 }.joined(separator: ": ")
    return look.row(words.isEmpty ? "Quakes" : "Quakes · \(words)", right, columns: size.columns)
  }

  private var orderText: String {
    switch order {
    case .distance where circle == nil, .time: isReversed ? "oldest first" : "newest first"
    case .magnitude: isReversed ? "smallest first" : "largest first"
    case .depth: isReversed ? "shallowest first" : "deepest first"
    case .distance: isReversed ? "farthest first" : "nearest first"
    case .updated: isReversed ? "least recently updated first" : "last updated first"
    }
  }

  /// The first two columns mark new and selected earthquakes.
  private func table(columns: Int, _ look: ScreenLook) throws -> [OutputText] {
    let shown = (offset..<min(offset + rows, list.count)).compactMap { list[$0] }
    var facts = shown.map(completeFacts)
    var table = QuakeTable(
      terminal: look.terminal(columns: columns - 2), now: look.now, style: look.style, columns: options.columns)
    try store.mark(&facts, &table)
    let layout = table.layout(of: facts, isPart: true)
    let lines = table.lines(facts, in: layout)
    table.terminal.hasColor = false
    return zip((-1)..., lines).map { row, line in
      guard row >= 0 else { return "  " + line }
      let isNew = store.unseen.contains(shown[row].objectID)
      guard offset + row == index else { return (isNew ? "+ " : "  ") + line }
      // Colors in the text would end the bar.
      let plain = table.lines([facts[row]], hasHeading: false, in: layout)[0].text
      return look.row((isNew ? "+>" : "> ") + plain, isSelected: true, columns: columns)
    }
  }

  /// An earthquake with what only some columns show.
  private func completeFacts(of quake: Quake) -> QuakeFacts {
    var facts = facts(of: quake)
    if options.columns.has("region") { facts.findRegion() }
    if options.columns.has("nearest_city") { facts.nearestCity = store.facts(of: quake).nearestCity }
    return facts
  }

  /// Why there is nothing to show.
  private func empty(columns: Int) throws -> [OutputText] {
    if emptiness == nil {
      emptiness = try store.reader.read { context in
        try EmptyResult(list.query.filter, asOf: nil, in: context).text(of: store.location)
      }
    }
    return [""] + DisplayWidth.wrapped(emptiness ?? "", to: columns).map { OutputText($0) }
  }
}
