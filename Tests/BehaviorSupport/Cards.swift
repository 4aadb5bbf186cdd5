import CoreData
import Foundation
import Observation
import StrataTestSupport

/// A class that conforms to `Observable`.
final class Deck: NSManagedObject, Observable {
  @NSManaged var name: String?
  @NSManaged var cards: Set<Card>
  @NSManaged func addToCards(_ value: Card)
}

/// A class that conforms to `Observable` in an extension, and computes some of its values.
final class Card: NSManagedObject {
  @NSManaged var title: String?
  @NSManaged var rank: Int64
  @NSManaged var deck: Deck?

  var initial: String { String((title ?? "").prefix(1)) }
  var shelfMark: String { "\(deck?.name ?? "-")/\(rank)" }
  var isHigh: Bool { rank > 10 }
  var half: Double? {
    get { rank == 0 ? nil : Double(rank) / 2 }
    set { rank = Int64((newValue ?? 0) * 2) }
  }

  var label: String { "\(title ?? "?") (\(rank))" }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "label" ? ["title", "rank"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}

extension Card: Observable {}

enum Cards {
  static let model = makeModel(
    makeEntity("Deck", of: Deck.self, [attribute("name")]),
    makeEntity("Card", of: Card.self, [attribute("title"), attribute("rank", .integer64)])
  ).relate("Deck", "cards", .many, "Card", "deck", .one)
}

extension NSManagedObjectContext {
  /// A new card in a new deck.
  func deal() -> (card: Card, deck: Deck) {
    let (card, deck) = (Card(context: self), Deck(context: self))
    (card.title, card.rank, card.deck, deck.name) = ("ace", 1, deck, "new")
    return (card, deck)
  }
}
