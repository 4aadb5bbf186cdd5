/// The way in which signals are noticed.
package enum SignalMode: Equatable, Sendable {
  /// The kernel reports changes; nothing runs while nothing happens.
  case watching
  /// The files are checked every 250 ms, after a quiet minute every second; the reason says why.
  case polling(reason: String)
}
