import Foundation

/// The contents of a status bar: the newest earthquakes, the number today, and whether the data is current.
public struct Summary: Equatable, Sendable {
  /// Newest first, but an urgent one before all; at least one, if there is any.
  public var recent: [QuakeFacts] = []
  /// The number since midnight, in the display's time zone.
  public var today = 0
  /// The number of smaller ones within a day, which are left out; 0 if it was not counted.
  public var smaller = 0
  /// Whether the store has earthquakes, but all of them are smaller.
  public var hasOnlySmaller = false
  /// Whether the user chose a store that does not exist.
  public var isStoreMissing = false
  public var now: Date
  /// Why the line may be out of date, as people read it; nil if it is not, or for a time of the past.
  public var staleReason: String?

  public init(recent: [QuakeFacts] = [], today: Int = 0, now: Date, staleReason: String? = nil) {
    (self.recent, self.today, self.now, self.staleReason) = (recent, today, now, staleReason)
  }

  public var newest: QuakeFacts? { recent.first }
  public var isStale: Bool { staleReason != nil }
}
