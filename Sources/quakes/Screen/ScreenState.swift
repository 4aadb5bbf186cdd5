import StrataQuakes
import StrataQuakesMap
import StrataQuakesScreen

/// The contents of the screen and the text that is being typed, for the newer version of this program, and for a store that
/// comes back. Programs read the states of older versions: a new field must be optional.
struct ScreenState: Codable, Equatable, Sendable {
  /// The filter that the list has.
  var filter: String
  /// The name of the view that the filter is of.
  var view: String?
  var order: String
  var isReversed: Bool
  /// The ID of the selected earthquake.
  var selected: String?
  /// The row of the screen that the selection has, from 0.
  var row = 0
  /// The views above the list, the topmost last.
  var views: [OpenView] = []
  var prompt: Prompt?
  /// A text that was being typed and whose purpose is gone.
  var interrupted: String?

  /// Earthquakes are named by their IDs.
  enum OpenView: Codable, Equatable, Sendable {
    case detail(String, showsHistory: Bool)
    case map(MapRegion)
    case views
    case help(of: String)
  }

  enum Prompt: Codable, Equatable, Sendable {
    /// - Parameter former: the filter that Escape restores.
    case filter(TextField, former: String)
    case note(TextField, of: String)
    case view(TextField)

    var text: String {
      switch self {
      case .filter(let field, _), .note(let field, _), .view(let field): field.text
      }
    }
  }

  init(_ content: ListContent) {
    (filter, view) = (content.filter.text, content.view)
    (order, isReversed) = (content.order.rawValue, content.isReversed)
  }

  /// The most characters of a text that the newer version gets. A note that was stored can be longer, but an environment variable
  /// cannot: the kernel takes 128 KB.
  static let maximumTextScalars = 8_192

  /// The state for an environment variable: of a text that does not fit, its beginning is shown as not saved, with the number of
  /// characters that are missing.
  var shortened: ScreenState {
    guard let text = prompt?.text ?? interrupted, case let count = text.unicodeScalars.count,
      count > Self.maximumTextScalars
    else { return self }
    var state = self
    state.prompt = nil
    // The shortened text fits too, so that the next version does not shorten it again.
    let kept = Self.maximumTextScalars - 50
    state.interrupted = "\(String(text.unicodeScalars.prefix(kept)))… (and \(count - kept) more characters)"
    return state
  }

  /// nil if this version does not know the filter.
  var content: ListContent? {
    guard let filter = try? ScreenFilter(filter) else { return nil }
    return ListContent(
      filter: filter, view: view, order: QuakeQuery.Order(rawValue: order) ?? .time, isReversed: isReversed)
  }
}

/// The filter and the order of a list.
struct ListContent: Equatable, Sendable {
  var filter: ScreenFilter
  /// The name of the view that the filter is of; nil without one.
  var view: String?
  var order: QuakeQuery.Order
  var isReversed: Bool
}
