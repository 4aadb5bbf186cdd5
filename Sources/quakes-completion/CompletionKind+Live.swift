import ArgumentParser
import StrataQuakes

/// Completions for shells, from the user's stores and settings.
extension CompletionKind {
  /// The IDs of the newest earthquakes, with what they are where the shell shows it.
  public static let earthquakes = live { $0.earthquakes(startingWith: $1) }

  /// Origins of distances: the user's places, and the IDs of the newest earthquakes.
  public static let places = live { $0.places(startingWith: $1) + $0.earthquakes(startingWith: $1) }

  /// The user's places alone.
  public static let keptPlaces = live { $0.places(startingWith: $1) }

  public static let alerts = live { $0.alerts(startingWith: $1) }

  /// The filters that the settings name.
  public static let filters = live { $0.filters(startingWith: $1) }

  /// The views of the settings.
  public static let views = live { $0.views(startingWith: $1) }

  /// The types of the newest earthquakes.
  public static let types = live { $0.types(startingWith: $1) }

  /// The networks and services of the newest earthquakes.
  public static let sources = live { $0.sources(startingWith: $1) }

  /// The columns of lists, also behind others and a comma.
  public static let columns = CompletionKind.custom { _, _, prefix in
    Offer.columns(startingWith: prefix).compactMap(\.text)
  }

  private static func live(_ offers: @escaping @Sendable (LiveCompletion, String) -> [Offer]) -> CompletionKind {
    // A shell shows what is printed: there is nothing to say to the user, who is typing.
    .custom { words, _, prefix in offers(LiveCompletion(words: words), prefix).compactMap(\.text) }
  }
}
