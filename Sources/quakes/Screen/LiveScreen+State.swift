import StrataQuakes
import StrataQuakesScreen

/// The state that the screen hands to its newer version, and keeps for a store that comes back.
extension LiveScreen {
  func state(of list: ListView) -> ScreenState {
    var state = ScreenState(list.content)
    if let drawn = list.drawnSelection { (state.selected, state.row) = (drawn.identifier, drawn.row) }
    state.views = views.compactMap(\.state)
    if let prompt {
      state.prompt = .filter(prompt.field, former: prompt.former.text)
    } else if let notePrompt {
      state.prompt = .note(notePrompt.field, of: notePrompt.identifier)
    } else if let viewPrompt {
      state.prompt = .view(viewPrompt.field)
    }
    state.interrupted = interruptedText
    return state
  }

  /// The state that is kept while the list is missing, with what was typed then.
  func waiting(_ state: ScreenState) -> ScreenState {
    var state = state
    state.interrupted = interruptedText
    return state
  }

  /// Shows the selection, the views and the text that is being typed, if their earthquakes are in the store.
  ///
  /// - Throws: what `fetch` throws.
  func restore(_ state: ScreenState, in list: ListView) throws {
    if let text = state.interrupted { showInterrupted(text) }
    if let selected = state.selected { try list.select(selected, row: state.row) }
    // The user may have opened the help in the meantime.
    if views.isEmpty { for view in state.views { try open(view, in: list) } }
    switch state.prompt {
    case .filter(let field, let former):
      prompt = FilterPrompt(field, former: (try? ScreenFilter(former)) ?? ScreenFilter(), shown: list.filter)
    case .view(let field): viewPrompt = ViewPrompt(field)
    case .note(let field, let identifier):
      guard let quake = try Quake.find(identifier, in: list.store.context) else {
        showInterrupted(field.text)
        return
      }
      notePrompt = NotePrompt(quake, try list.store.mark(of: quake).note)
      notePrompt?.field = field
    case nil: break
    }
  }

  private func open(_ view: ScreenState.OpenView, in list: ListView) throws {
    switch view {
    case .detail(let identifier, let showsHistory):
      guard let quake = try Quake.find(identifier, in: list.store.context) else { return }
      show(DetailView(quake, in: list.store, showsHistory: showsHistory))
    case .map(let region): showMap(LiveMap(list, region: region))
    case .views: withViews { show(ViewMenu($0)) }
    case .help(let kind): if let kind = ScreenKind(rawValue: kind) { show(HelpView(of: kind)) }
    }
  }
}
