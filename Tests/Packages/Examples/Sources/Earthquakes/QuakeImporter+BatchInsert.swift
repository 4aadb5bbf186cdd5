import CoreData

extension QuakeImporter {
  /// Writes a feed without creating objects. The uniqueness constraint of the code and the merge policy update existing
  /// rows. This is faster, but rewrites unchanged rows, and an old feed overwrites newer rows.
  public func batchInsertQuakes(from json: Data) async throws {
    let records = try QuakeFeed(json: json).quakes
    guard !records.isEmpty else { return }
    let context = newContext()
    try await context.perform {
      var remaining = records.makeIterator()
      let request = NSBatchInsertRequest(entity: Quake.entity()) { (row: NSMutableDictionary) in
        guard let record = remaining.next() else { return true }
        row["code"] = record.code
        row["magnitude"] = record.magnitude
        row["place"] = record.place
        row["time"] = record.time
        row["updated"] = record.updated
        return false
      }
      request.resultType = .statusOnly
      let result = try context.execute(request) as? NSBatchInsertResult
      guard result?.result as? Bool == true else { throw CocoaError(.persistentStoreSave) }
    }
  }
}
