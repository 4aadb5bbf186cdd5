import CoreData
import Foundation

extension PersonalWriter {
  /// The number of earthquakes whose marks are read in one fetch.
  private static let partSize = 500

  /// Changes the marks of earthquakes, all of them or none.
  ///
  /// - Parameters:
  ///   - identifiers: the earthquakes' own IDs.
  ///   - author: the program, for the history.
  ///   - change: is given what was marked so far.
  /// - Returns: how many changed.
  /// - Throws: `Failure` with status 4; nothing is changed then.
  @discardableResult
  public func mark(_ identifiers: [String], by author: String, _ change: (inout QuakeMark) -> Void) throws -> Int {
    // A duplicate would get two marks, which the store rejects.
    var given: Set<String> = []
    let identifiers = identifiers.filter { given.insert($0).inserted }
    return try self.change(by: author) { context in
      var count = 0
      for start in stride(from: 0, to: identifiers.count, by: Self.partSize) {
        let part = Array(identifiers[start..<min(start + Self.partSize, identifiers.count)])
        let known = try Mark.marks(of: part, in: context)
        for identifier in part {
          let marks = known[identifier] ?? []
          let former = QuakeMark(marks)
          var mark = former
          change(&mark)
          guard mark != former else { continue }
          count += 1
          Self.keep(mark, of: identifier, insteadOf: marks, in: context)
        }
      }
      return count
    }
  }

  /// Sets only what differs, so that no other change is in conflict with it.
  private static func keep(
    _ new: QuakeMark, of identifier: String, insteadOf marks: [Mark], in context: NSManagedObjectContext
  ) {
    for mark in marks.dropFirst(new.isEmpty ? 0 : 1) { context.delete(mark) }
    guard !new.isEmpty else { return }
    let mark = marks.first ?? Mark(context: context)
    if marks.isEmpty { mark.identifier = identifier }
    if mark.isStarred != new.isStarred { mark.isStarred = new.isStarred }
    if mark.acknowledged != new.acknowledged { mark.acknowledged = new.acknowledged }
    if mark.note != new.note { mark.note = new.note }
  }
}
