import Foundation

/// What a status bar shows: the newest earthquakes, how many there were today, and how sure that is.
public struct Summary: Equatable, Sendable {
  /// Newest first; at least one, if there is any.
  public var recent: [QuakeFacts] = []
  /// The number since midnight, in the zone of whoever asks.
  public var today = 0
  public var now: Date
  /// Why the line may be out of date, as people read it; nil if it is not, or for a time of the past.
  public var staleReason: String?

  public init(recent: [QuakeFacts] = [], today: Int = 0, now: Date, staleReason: String? = nil) {
    (self.recent, self.today, self.now, self.staleReason) = (recent, today, now, staleReason)
  }

  public var newest: QuakeFacts? { recent.first }
  public var isStale: Bool { staleReason != nil }
}
