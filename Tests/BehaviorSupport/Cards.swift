import CoreData
import Foundation
import Observation
import StrataTestSupport

/// A class that says that its properties can be tracked.
final class Deck: NSManagedObject, Observable {
  @NSManaged var name: String?
  @NSManaged var cards: Set<Card>
  @NSManaged func addToCards(_ value: Card)
}

/// One that says so elsewhere, and computes some of its values.
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
  static let model: NSManagedObjectModel = {
    let (deck, card) = (NSEntityDescription(), NSEntityDescription())
    (deck.name, card.name) = ("Deck", "Card")
    deck.managedObjectClassName = NSStringFromClass(Deck.self)
    card.managedObjectClassName = NSStringFromClass(Card.self)
    let (cards, home) = (NSRelationshipDescription(), NSRelationshipDescription())
    (cards.name, cards.destinationEntity, cards.inverseRelationship) = ("cards", card, home)
    (home.name, home.destinationEntity, home.inverseRelationship, home.maxCount) = ("deck", deck, cards, 1)
    deck.properties = [attribute("name", .stringAttributeType), cards]
    card.properties = [attribute("title", .stringAttributeType), attribute("rank", .integer64AttributeType), home]
    let model = NSManagedObjectModel()
    model.entities = [deck, card]
    return model
  }()
}

extension NSManagedObjectContext {
  /// A new card in a new deck.
  func deal() -> (card: Card, deck: Deck) {
    let (card, deck) = (Card(context: self), Deck(context: self))
    (card.title, card.rank, card.deck, deck.name) = ("ace", 1, deck, "new")
    return (card, deck)
  }
}
