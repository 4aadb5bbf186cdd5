import Foundation

extension BinaryPropertyList {
  /// The whole list as Foundation's reader would return it: `String`, `Int`, `Double`, `Bool`, `Date`, `Data`, and
  /// arrays and dictionaries of these; nil if the list is damaged or contains anything else. An array of texts is a
  /// `[String]`, a dictionary of data a `[String: Data]`.
  ///
  /// Foundation's reader on Linux crashes on lists with damaged references, and takes 1 ms when a program starts, because its
  /// casts search all conformances of the program.
  package var plain: (any Sendable)? {
    // A list that refers to each object once has at most as many objects as bytes. Refusing more defends against lists
    // that expand exponentially by referring to the same object repeatedly.
    var left = size
    return plain(top, depth: 0, left: &left)
  }

  private func plain(_ object: Int, depth: Int, left: inout Int) -> (any Sendable)? {
    left -= 1
    guard left >= 0, depth < 64, let value = value(object) else { return nil }
    switch value {
    case .boolean(let flag): return flag
    case .integer(let number): return Int(number)
    case .real(let number): return number
    case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let data): return data
    case .string(let text): return text
    case .null, .reference: return nil
    case .array(let members):
      var list: [any Sendable] = []
      for member in members {
        guard let plain = plain(member, depth: depth + 1, left: &left) else { return nil }
        list.append(plain)
      }
      let texts = list.compactMap { $0 as? String }
      return texts.count == list.count ? texts : list
    case .dictionary(let pairs):
      var dictionary: [String: any Sendable] = [:]
      for (key, member) in pairs {
        guard case .string(let name)? = self.value(key), let plain = plain(member, depth: depth + 1, left: &left) else {
          return nil
        }
        // Of values for the same key, Foundation takes the first.
        if dictionary[name] == nil { dictionary[name] = plain }
      }
      let data = dictionary.compactMapValues { $0 as? Data }
      return data.count == dictionary.count ? data : dictionary
    }
  }
}
